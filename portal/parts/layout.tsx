import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { attempt } from "../deeds.ts";
import { announce } from "../notices.ts";
import { focusWhenThere, pressedHere } from "../places.ts";
import { hasEntered, token } from "../session.ts";
import { chooseLanguage } from "../set-language.ts";
import { useCan, useIsSuspended, useSignInPage, useSignInUrl, useSite } from "../site.ts";
import { type Language, language, languageOptions, t } from "../text.ts";
import { setTheme, type Theme, theme, themes } from "../theme.ts";
import { AccountMenu } from "./account-menu.tsx";
import { title as documentTitle } from "./basics.tsx";
import { ActingSelect } from "./fields.tsx";
import { Logo } from "./logo.tsx";
import { NavLink } from "./nav-link.tsx";
import { Notice } from "./notice.tsx";

/** Tells who signs in that they are suspended, as soon as that is known. */
function useToldOfSuspension(): void {
  const isTold = useIsSuspended() && hasEntered.value;
  useEffect(() => {
    if (isTold) announce(t("suspendedHint"), "problem");
  }, [isTold]);
}

/** Pages that begin with a way around of their own. On others, what stands before the heading is content: a vote. */
const HAVE_OWN_NAV = /^\/(manage|my|profile)/;

export function Layout({ children }: { children: ComponentChildren }) {
  const { path, url } = useLocation();
  const can = useCan();
  const signInPage = useSignInPage();
  const signInUrl = useSignInUrl(signInPage);
  const { title } = useSite();
  const main = useRef<HTMLElement>(null);
  const opened = useRef<string>();
  useToldOfSuspension();
  // A page without a heading has the site's title, not the last page's.
  if (opened.current !== path) documentTitle.value = title;
  useEffect(() => {
    document.title = documentTitle.value;
    const isOther = opened.current !== undefined && opened.current !== path;
    opened.current = path;
    if (!isOther) return;
    // After a link, the keyboard and screen readers begin at the new page, unless a part of it has the keyboard.
    if (!main.current?.contains(document.activeElement)) main.current?.focus();
    // It names the page that the server rendered; browsers share it in place of the address.
    document.querySelector("link[rel=canonical]")?.remove();
  }, [path]);
  // A person who comes back continues where they left.
  useEffect(() => {
    const pressed = pressedHere();
    if (pressed) focusWhenThere(pressed, true);
  }, [url]);
  return (
    <>
      <a class="button unseen" href={HAVE_OWN_NAV.test(path) ? "#heading" : "#main"}>
        {t("skip")}
      </a>
      <header>
        <a class="brand" href="/">
          <Logo />
          <bdi>{title}</bdi>
        </a>
        <nav aria-label={title}>
          <NavLink href="/" isHere={/^\/($|boards\/|posts\/|new)/.test(path)}>
            {t("posts")}
          </NavLink>
          <NavLink href="/roadmap">{t("roadmap")}</NavLink>
          {can("dashboard:read") && <NavLink href="/manage">{t("manage")}</NavLink>}
        </nav>
        {token.value ? (
          <AccountMenu />
        ) : (
          <NavLink href={signInUrl} isHere={path === signInPage}>
            {t("signIn")}
          </NavLink>
        )}
      </header>
      <Notice />
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
      <footer>
        <div>
          <span aria-hidden="true">{t("theme")}</span>
          <ActingSelect
            label={t("theme")}
            value={theme.value}
            options={themes.map((id) => ({ id, name: t(`theme_${id}`) }))}
            act={(chosen) => setTheme(chosen as Theme)}
          />
        </div>
        <div>
          <span aria-hidden="true">{t("language")}</span>
          <ActingSelect
            label={t("language")}
            value={language.value}
            options={languageOptions()}
            act={(chosen) => attempt(chooseLanguage(chosen as Language))}
          />
        </div>
      </footer>
    </>
  );
}
