import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso/router";

type LinkProps = { href: string; children: ComponentChildren; isHere?: boolean; label?: string };

/** A link of a navigation, which says whether the page that is open is there. `label` is what is read out for it. */
export function NavLink({ href, children, isHere, label }: LinkProps) {
  const { path } = useLocation();
  isHere ??= href === "/" ? path === "/" : path.startsWith(href);
  // A post belongs to the posts, and is not their page.
  const current = path === href ? "page" : "true";
  return (
    <a href={href} aria-current={isHere ? current : undefined} aria-label={label}>
      {children}
    </a>
  );
}
