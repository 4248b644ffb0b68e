import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { t } from "../text.ts";

/** The address of a page that asks before its edits are lost; undefined on pages that keep drafts. */
let asksAt: string | undefined;

/** The forms in which a person has changed something. One that was sent is another element: see form.tsx. */
const edited = new WeakSet<Element>();

/** Whether a page that asks has a form with edits that are not saved, nor on their way. */
function isUnsaved(): boolean {
  if (asksAt === undefined) return false;
  const forms = [...document.querySelectorAll("form:not([aria-busy=true])")];
  return forms.some((form) => edited.has(form));
}

/** Whether nothing typed is lost, or the person agrees to lose it. */
export function mayLeave(): boolean {
  return !isUnsaved() || confirm(t("leaveUnsaved"));
}

/** Whether a click leaves the page for another one of this site. */
function leaves({ target, button, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  const link = target instanceof Element && target.closest<HTMLAnchorElement>("a[href]");
  if (!link || button !== 0 || ctrlKey || metaKey || shiftKey) return false;
  const isInPage = link.getAttribute("href")?.startsWith("#") || link.target || link.download;
  return link.origin === location.origin && !isInPage;
}

/** Lets the page ask before edits are lost: by a link, by the way back, or with the tab. */
export function useUnsavedGuard(): void {
  const { url } = useLocation();
  useEffect(() => {
    asksAt = url;
    return () => {
      asksAt = undefined;
    };
  }, [url]);
}

function note({ target }: Event): void {
  const form = target instanceof Element && target.closest("form");
  if (form) edited.add(form);
}

function click(event: MouseEvent): void {
  if (!leaves(event) || mayLeave()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** The browser has gone back already. If the person stays, the router is not told. */
function goBack(event: Event): void {
  const isElsewhere = location.pathname + location.search !== asksAt;
  if (asksAt === undefined || !isElsewhere || mayLeave()) return;
  event.stopImmediatePropagation();
  history.pushState(null, "", asksAt);
}

function close(event: Event): void {
  if (isUnsaved()) event.preventDefault();
}

/** To be called before the router listens. */
export function guardEdits(): void {
  addEventListener("input", note);
  addEventListener("click", click, true);
  addEventListener("popstate", goBack);
  addEventListener("beforeunload", close);
}
