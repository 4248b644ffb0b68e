import { useLocation } from "preact-iso/router";
import { attempt } from "../deeds.ts";
import { useProfile } from "../site.ts";
import { nameOf, t } from "../text.ts";
import { AccountLinks } from "./account-nav.tsx";
import { useElementId } from "./element-id.ts";
import { Icon } from "./icons.tsx";
import { useLeaving } from "./leaving.ts";
import { useFold } from "./use-fold.ts";

/** What a person who is signed in has: a button in the head, and the links that it opens. */
export function AccountMenu() {
  const { path } = useLocation();
  const leave = useLeaving();
  const { isOpen, toggle, button } = useFold(".account", [path]);
  const id = useElementId();
  return (
    <div class="account">
      <button ref={button} type="button" class="quiet" aria-expanded={isOpen} aria-controls={id} onClick={toggle}>
        <Icon name="person" /> {t("account")}
      </button>
      {isOpen && (
        <div id={id} class="card menu">
          <Name />
          <AccountLinks />
          <button type="button" class="quiet" onClick={() => attempt(leave())}>
            {t("signOut")}
          </button>
        </div>
      )}
    </div>
  );
}

/** Who is signed in: several people may use one browser. It is read once the menu opens. */
function Name() {
  const { data: user } = useProfile();
  return user && <bdi>{nameOf(user)}</bdi>;
}
