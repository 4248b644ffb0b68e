import { t } from "../text.ts";
import { NavLink } from "./nav-link.tsx";

function FirstLinks() {
  return (
    <>
      <NavLink href="/my/posts">{t("my_posts")}</NavLink>
      <NavLink href="/my/votes">{t("my_votes")}</NavLink>
    </>
  );
}

function FurtherLinks() {
  return (
    <>
      <NavLink href="/my/follows">{t("my_follows")}</NavLink>
      <NavLink href="/profile">{t("profile")}</NavLink>
    </>
  );
}

/** The pages of the account that is signed in. */
export function AccountLinks() {
  return (
    <>
      <FirstLinks />
      <FurtherLinks />
    </>
  );
}

/** The same, beside or above what one of these pages shows. Two links stay together where a line is too short. */
export function AccountNav() {
  return (
    <nav class="parts own" aria-label={t("account")}>
      <span>
        <FirstLinks />
      </span>
      <span>
        <FurtherLinks />
      </span>
    </nav>
  );
}
