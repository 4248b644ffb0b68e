import type { JSX } from "preact";
import { useLocation } from "preact-iso/router";
import { isPlain } from "../../parts/pages.tsx";
import { t } from "../../text.ts";
import { withQuery } from "../../with-query.ts";
import { forgetAwaited } from "./awaited.ts";

/** `next`: the page that the link names which is over. */
type AnotherLinkProps = { page: "/sign-in/mail" | "/password-reset"; next: string | undefined; kind?: string };

/**
 * Leads to the page that mails another link. Nobody knows whose the one was that is over: what this browser keeps waits
 * for the next link to the same address.
 */
export function AnotherLink({ page, next, kind }: AnotherLinkProps) {
  const { route } = useLocation();
  const press = (event: JSX.TargetedMouseEvent<HTMLAnchorElement>) => {
    if (!isPlain(event)) return;
    event.preventDefault();
    // Not to the router.
    event.stopPropagation();
    // The mail for which this tab may wait is another one.
    forgetAwaited();
    route(withQuery(page, { next }));
  };
  return (
    <a class={kind} href={withQuery(page, { next })} onClick={press}>
      {t("anotherLink")}
    </a>
  );
}
