import { signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { letterOf } from "../../lib/values/graphemes.ts";
import { type Failure, mayWorkLater, type Schemas } from "../api.ts";
import { attempt } from "../deeds.ts";
import { clearNotice } from "../notices.ts";
import { useSite } from "../site.ts";
import { inThisLanguage, language, nameOf, shortNumeral, t } from "../text.ts";
import type { Texts } from "../texts/en.ts";
import { agrees } from "./agrees.ts";
import { Icon } from "./icons.tsx";

/** The title of the document. */
export const title = signal("");

/** Whether the page of an address was not found. */
export const isMissing = signal(false);

/** The heading of a page. It names the document too, unless that has a `name` of its own. */
export function Heading({ children, name = children }: { children: string; name?: string }) {
  const { title: site } = useSite();
  title.value = `${name} · ${site}`;
  useEffect(() => {
    document.title = title.value;
  }, [name, site]);
  return (
    <h1 id="heading" tabIndex={-1} dir="auto">
      {children}
    </h1>
  );
}

/**
 * For numbers: a browser's translator replaces the text, and later changes of it are not seen. The attribute of the
 * document is the word "no", the property of an element is false.
 */
export const notTranslated = { translate: (typeof document === "undefined" ? "no" : false) as boolean };

/**
 * A colour of the content, as `--color` in style.css. The page's security policy forbids styles in the markup, so the
 * server names the colour in an attribute: see server/colors.ts.
 */
function colored(color: string): { style?: JSX.CSSProperties } {
  return typeof document === "undefined" ? ({ "data-color": color } as object) : { style: { "--color": `#${color}` } };
}

export function Dot({ color }: { color: string }) {
  return <span class="dot" {...colored(color)} />;
}

/** A number beside a name; `words` say of what, for screen readers. */
export function Count({ n, words, children }: { n: number; words: string; children?: ComponentChildren }) {
  return (
    <span class="count" {...notTranslated}>
      {children}
      <span aria-hidden="true">{shortNumeral(n)}</span>
      <span class="unseen">{words}</span>
    </span>
  );
}

type BadgeProps = { of: { color: string; name: string }; standsOut?: boolean; href?: string };

/** The posts with a tag, the newest first: in the other orders a new tag shows a few seconds later. */
export function postsWithTag(id: string): string {
  return `/?order=newest&tag=${id}`;
}

/** The tags of a post, each leading to the posts with it. */
export function Tags({ of }: { of: Schemas["Tag"][] }) {
  return of.map((tag) => <Badge key={tag.id} of={tag} standsOut href={postsWithTag(tag.id)} />);
}

/** A board or a roadmap, or a status or tag, which stands out. `href`: where others of it are. */
export function Badge({ of: { color, name }, standsOut, href }: BadgeProps) {
  const Element = href ? "a" : "span";
  return (
    <Element class={standsOut ? "badge status" : "badge"} href={href} {...(standsOut && colored(color))}>
      {!standsOut && <Dot color={color} />}
      <bdi>{name}</bdi>
    </Element>
  );
}

/** The mark of a post that the team keeps above the others. */
export function Pinned() {
  return (
    <span class="badge team pin">
      <Icon name="pin" /> {t("pinned")}
    </span>
  );
}

/** How many colours style.css has for people. */
const HUES = 8;

/** The first letter of a name on a colour that follows from the account. */
export function Avatar({ author }: { author: Pick<Schemas["Author"], "userId" | "name"> }) {
  const hue = Number.parseInt(author.userId.slice(-4), 16) % HUES;
  return (
    <svg class={`avatar hue-${hue}`} viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="16" />
      <text x="16" y="21" text-anchor="middle">
        {letterOf(nameOf(author))}
      </text>
    </svg>
  );
}

type ByProps = {
  author: Schemas["Author"] & { role?: unknown };
  at: string;
  href?: string;
  children?: ComponentChildren;
};

/** Who wrote something, and when. `href`: the address of what they wrote. `children`: further facts. */
export function By({ author, at, href, children }: ByProps) {
  return (
    <p class="by">
      <Avatar author={author} />
      <span class="facts">
        <span>
          <bdi>{nameOf(author)}</bdi> {author.role && <span class="badge team">{t("team")}</span>}
        </span>{" "}
        <span class="quiet-text">{href ? <a href={href}>{<When at={at} />}</a> : <When at={at} />}</span>
        {children}
      </span>
    </p>
  );
}

/** There is nothing at an address. `title` may say what people look for there. */
export function NotFound({ title = "notFound" }: { title?: keyof Texts }) {
  isMissing.value = true;
  return (
    <div class="empty">
      <Icon name="lost" />
      <Heading>{t(title)}</Heading>
      <p>{t("notFoundHint")}</p>
      <search>
        <form action="/">
          <input type="search" name="q" dir="auto" aria-label={t("searchPosts")} placeholder={t("searchPosts")} />
        </form>
      </search>
      <a class="button" href="/">
        {t("toPosts")}
      </a>
    </div>
  );
}

const DAY_MS = 86_400_000;
// With their length in days.
const UNITS = Object.entries({ year: 365, month: 30, day: 1, hour: 1 / 24, minute: 1 / 1440 });

/** How long ago. A clock that is behind puts nothing into the future. */
function agoOf(date: Date, longest: number): string {
  const days = (Date.now() - date.getTime()) / DAY_MS;
  const found = UNITS.find(([, size]) => size <= longest && days >= size);
  if (!found) return t("justNow");
  const [unit, size] = found;
  // Not "yesterday" for 47 hours, nor "last year" for 23 months.
  const words = new Intl.RelativeTimeFormat(language.value, { numeric: "always" });
  return words.format(-Math.floor(days / size), unit as "day");
}

/**
 * How long ago, with the exact time on hover, in the reader's time zone: so only the browser can write it. `inDays`: in
 * no unit longer than a day, so that a reader can compare several times.
 */
export function When({ at, inDays = false }: { at: string; inDays?: boolean }) {
  const date = new Date(at);
  const element = useRef<HTMLTimeElement>(null);
  useEffect(() => element.current?.setAttribute("title", date.toLocaleString(language.value)));
  return (
    <time ref={element} dateTime={at}>
      {agoOf(date, inDays ? 1 : 365)}
    </time>
  );
}

type ActionProps = {
  act: () => unknown;
  label: string;
  /** What it belongs to, for screen readers. */
  of?: string;
  /** What people confirm before it is gone for ever. */
  ask?: string;
  kind?: string;
  id?: string;
  /** It has nothing to do now, and looks so; pressed, it says what is missing. */
  isOff?: boolean;
};

/** A button. It shows that it works, once at a time. */
export function Action({ act, label, of, ask, kind = ask ? "quiet danger" : "quiet", id, isOff }: ActionProps) {
  const [isBusy, setBusy] = useState(false);
  const run = async () => {
    if (isBusy) return;
    clearNotice();
    const work = ask ? agrees(ask, label).then((isAgreed) => isAgreed && act()) : act();
    if (!(work instanceof Promise)) return;
    setBusy(true);
    await attempt(work);
    setBusy(false);
  };
  return (
    <button type="button" id={id} class={kind} aria-busy={isBusy} aria-disabled={isBusy || isOff} onClick={run}>
      {label}
      {isBusy && "…"} {of && <span class="unseen">{of}</span>}
    </button>
  );
}

/** What went wrong. `again` tries it anew, where that can help. */
export function Problem({ failure, again }: { failure: Failure; again?: () => void }) {
  useEffect(() => {
    // It may have been the connection.
    if (again) addEventListener("online", again);
    return () => again && removeEventListener("online", again);
  }, [again]);
  return (
    <div class="problem" role="alert">
      <p>{inThisLanguage(failure.message)}</p>
      {again && mayWorkLater(failure) && <Action act={again} label={t("retry")} kind="" />}
    </div>
  );
}

type EmptyProps = { title: string; hint: string; children?: ComponentChildren };

/** What stands in the place of a list without rows: why, and what to do next. */
export function Empty({ title, hint, children }: EmptyProps) {
  return (
    <div class="empty">
      <Icon name="bulb" />
      <h2>{title}</h2>
      <p>{hint}</p>
      {children}
    </div>
  );
}

/** What stands in the place of content: why it could not be read, or that it is still read. */
export function Pending({ failure, again, lines }: { failure?: Failure; again: () => void; lines?: number }) {
  return failure ? <Problem failure={failure} again={again} /> : <Skeleton {...(lines && { lines })} />;
}

/** What stands in the place of a whole page. */
export function Waiting({ failure, again }: { failure?: Failure; again: () => void }) {
  if (!failure) return <Skeleton />;
  return (
    <>
      <Heading>{t("unreadable")}</Heading>
      <Problem failure={failure} again={again} />
    </>
  );
}

/** Stands before a sign-in that a page begins with for everybody: style.css shows one of the two. */
export function UntilSignedIn() {
  return (
    <div class="until-signed-in">
      <Skeleton />
    </div>
  );
}

/** Grey lines in the place of content that is still read. */
export function Skeleton({ lines = 5 }: { lines?: number }) {
  return (
    <div class="skeleton" role="status" aria-label={t("loading")}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  );
}
