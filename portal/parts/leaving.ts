import { useLocation } from "preact-iso/router";
import { dropDrafts } from "../drafts.ts";
import { announce } from "../notices.ts";
import { signOut } from "../session.ts";
import { t } from "../text.ts";
import { mayLeave } from "./unsaved.ts";

/**
 * Signs out on this device, unless a person wants to keep edits: the token is forgotten, with what was typed. Other
 * devices stay signed in, unless `first` ends their sessions.
 */
export function useLeaving() {
  const { route } = useLocation();
  return async (said = t("signedOutHere"), first?: () => Promise<unknown>) => {
    if (!(await mayLeave())) return;
    await first?.();
    route("/");
    dropDrafts();
    signOut();
    announce(said);
  };
}
