import { useLocation } from "preact-iso/router";
import { useProfile } from "../site.ts";
import { t } from "../text.ts";

/** Says to who has given no name how others see them, where they write, and leads to the page that asks for one. */
export function ShownAs() {
  const { url } = useLocation();
  const user = useProfile().data;
  if (user?.isNamed !== false) return null;
  return (
    <p class="quiet-text">
      {t("shownAs", { name: user.name })}{" "}
      <a href={`/sign-in/name?next=${encodeURIComponent(url)}`}>{t("chooseName")}</a>
    </p>
  );
}
