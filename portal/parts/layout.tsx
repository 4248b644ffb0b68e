import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import { token } from "../api.ts";
import { can, useSite } from "../site.ts";
import { t } from "../text.ts";
import { Notice } from "./notice.tsx";

export function Layout({ children }: { children: ComponentChildren }) {
  const { path } = useLocation();
  const { title, logo } = useSite();
  const main = useRef<HTMLElement>(null);
  const opened = useRef(path);
  // After a link, the keyboard and screen readers begin at the new page.
  useEffect(() => {
    if (opened.current !== path) main.current?.focus();
    opened.current = path;
  }, [path]);
  return (
    <>
      <a class="skip" href="#main">
        {t("skip")}
      </a>
      <header>
        <a class="brand" href="/">
          {logo && <img src={logo} alt="" width="28" height="28" />}
          {title}
        </a>
        <nav aria-label={title}>
          <NavLink href="/">{t("posts")}</NavLink>
          <NavLink href="/roadmap">{t("roadmap")}</NavLink>
          {can("dashboard:read") && <NavLink href="/manage">{t("manage")}</NavLink>}
        </nav>
        {token.value ? (
          <NavLink href="/profile">{t("profile")}</NavLink>
        ) : (
          <NavLink href="/sign-in">{t("signIn")}</NavLink>
        )}
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
      <Notice />
    </>
  );
}

function NavLink({ href, children }: { href: string; children: ComponentChildren }) {
  const { path } = useLocation();
  const isHere = href === "/" ? path === "/" : path.startsWith(href);
  return (
    <a href={href} aria-current={isHere ? "page" : undefined}>
      {children}
    </a>
  );
}
