import { dropDrafts } from "./drafts.ts";
import { announce } from "./notices.ts";
import { signOut } from "./session.ts";
import { t } from "./text.ts";

/** Signs out on this device: the token is forgotten, with what was typed. Other devices stay signed in. */
export function leaveHere(said = t("signedOutHere")): void {
  dropDrafts();
  signOut();
  announce(said);
}
