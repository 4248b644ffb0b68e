import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso/router";

/** A link of a navigation, which says whether the page that is open is there. */
export function NavLink({ href, children, isHere }: { href: string; children: ComponentChildren; isHere?: boolean }) {
  const { path } = useLocation();
  isHere ??= href === "/" ? path === "/" : path.startsWith(href);
  // A post belongs to the posts, and is not their page.
  const current = path === href ? "page" : "true";
  return (
    <a href={href} aria-current={isHere ? current : undefined}>
      {children}
    </a>
  );
}
