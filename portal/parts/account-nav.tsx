import { t } from "../text.ts";
import { NavLink } from "./nav-link.tsx";

/** The pages of the account that is signed in. */
export function AccountLinks() {
  return (
    <>
      <NavLink href="/my/posts">{t("my_posts")}</NavLink>
      <NavLink href="/my/votes">{t("my_votes")}</NavLink>
      <NavLink href="/my/follows">{t("my_follows")}</NavLink>
      <NavLink href="/profile">{t("profile")}</NavLink>
    </>
  );
}

/** The same, beside or above what one of these pages shows. */
export function AccountNav() {
  return (
    <nav class="parts own" aria-label={t("account")}>
      <AccountLinks />
    </nav>
  );
}
