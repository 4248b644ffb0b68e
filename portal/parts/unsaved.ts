import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { attempt } from "../deeds.ts";
import { dropDraft, keepDraft, keptDraft } from "../drafts.ts";
import { accountIdOf, token } from "../session.ts";
import { t } from "../text.ts";
import { agrees } from "./agrees.ts";
import { fill, valuesOf } from "./form-values.ts";

/** The address of a page that asks before its edits are lost; undefined on pages that keep drafts. */
let asksAt: string | undefined;

/** The forms in which a person has changed something. One that was sent is another element: see form.tsx. */
let edited = new WeakSet<Element>();

/** The forms of a page that asks with edits that are not saved, nor on their way, nor kept as a draft. */
function unsaved(): HTMLFormElement[] {
  if (asksAt === undefined) return [];
  const forms = [...document.querySelectorAll<HTMLFormElement>("form:not([aria-busy=true], [data-draft])")];
  return forms.filter((form) => edited.has(form));
}

/** Whether nothing typed is lost, or the person agrees to lose it, for which they are asked once. */
export async function mayLeave(): Promise<boolean> {
  // A form may have a question of its own.
  const questions = new Set(unsaved().map(({ dataset }) => dataset.asks ?? t("leaveUnsaved")));
  if (questions.size === 0) return true;
  const isAgreed = await agrees([...questions].join(" "), t("leavePage"));
  if (isAgreed) edited = new WeakSet();
  return isAgreed;
}

/** The link by which a click leaves the page for another one of this site. */
function leavingLink({ target, button, ctrlKey, metaKey, shiftKey }: MouseEvent): HTMLAnchorElement | undefined {
  const link = target instanceof Element && target.closest<HTMLAnchorElement>("a[href]");
  if (!link || button !== 0 || ctrlKey || metaKey || shiftKey) return undefined;
  const isInPage = link.getAttribute("href")?.startsWith("#") || link.target || link.download;
  return link.origin === location.origin && !isInPage ? link : undefined;
}

/** What must not be kept: passwords, also while they are shown, and codes. */
const SECRETS = ".secret input, [name=code]";

/**
 * Keeps what a person has changed in a form when the session ends while they are on its page, and shows it once they
 * have signed in again.
 */
export function useEditsKept(form: RefObject<HTMLFormElement>, name: string): void {
  const { path } = useLocation();
  useEffect(() => {
    const draft = `${path} ${name}`;
    const person = accountIdOf(token.peek());
    const { values } = keptDraft(draft);
    if (values && form.current) fill(form.current, values);
    dropDraft(draft);
    return () => {
      const hasEnded = token.peek() === undefined && location.pathname === path;
      if (!person || !hasEnded || !form.current || !edited.has(form.current)) return;
      const secrets = [...form.current.querySelectorAll<HTMLInputElement>(SECRETS)].map((each) => each.name);
      const typed = Object.entries(valuesOf(form.current)).filter(([field]) => !secrets.includes(field));
      keepDraft(draft, { values: Object.fromEntries(typed) }, person);
    };
  }, []);
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
  const link = leavingLink(event);
  if (!link || unsaved().length === 0) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  void attempt(mayLeave().then((may) => may && link.click()));
}

/** The browser has gone back already. Unless the person leaves, the router is not told. */
function goBack(event: Event): void {
  const isElsewhere = location.pathname + location.search !== asksAt;
  if (!isElsewhere || unsaved().length === 0) return;
  event.stopImmediatePropagation();
  history.pushState(null, "", asksAt);
  void attempt(mayLeave().then((may) => may && history.back()));
}

function close(event: Event): void {
  if (unsaved().length > 0) event.preventDefault();
}

/** To be called before the router listens. */
export function guardEdits(): void {
  addEventListener("input", note);
  addEventListener("click", click, true);
  addEventListener("popstate", goBack);
  addEventListener("beforeunload", close);
}
