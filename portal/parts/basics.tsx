import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Failure, Schemas } from "../api.ts";
import { attempt } from "../notices.ts";
import { useSite } from "../site.ts";
import { language, t } from "../text.ts";
import type { Texts } from "../texts/en.ts";

/** The title of the document. */
export const title = signal("");

/** Whether the page of an address was not found. */
export const isMissing = signal(false);

/** The heading of a page, which names the document too. */
export function Heading({ children }: { children: string }) {
  const { title: site } = useSite();
  title.value = `${children} · ${site}`;
  useEffect(() => {
    document.title = title.value;
  }, [children, site]);
  return <h1>{children}</h1>;
}

// Colours of content are attributes of SVG: the page's security policy forbids styles in the markup.

export function Dot({ color }: { color: string }) {
  return (
    <svg width="9" height="9" viewBox="0 0 8 8" aria-hidden="true">
      <circle cx="4" cy="4" r="4" fill={`#${color}`} />
    </svg>
  );
}

type BadgeProps = { of: { color: string; name: string }; isStatus?: boolean; href?: string };

/** A board or a roadmap, or a status, which stands out. `href`: where others of it are. */
export function Badge({ of: { color, name }, isStatus, href }: BadgeProps) {
  const Element = href ? "a" : "span";
  return (
    <Element class={isStatus ? "badge status" : "badge"} href={href}>
      <Dot color={color} />
      {name}
    </Element>
  );
}

/** The first letter of a name on a colour that follows from the account. */
export function Avatar({ author: { userId, name } }: { author: Pick<Schemas["Author"], "userId" | "name"> }) {
  const hue = Number.parseInt(userId.slice(-4), 16) % 360;
  return (
    <svg class="avatar" viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="16" fill={`hsl(${hue} 55% 85%)`} />
      <text x="16" y="21" text-anchor="middle" fill={`hsl(${hue} 60% 22%)`}>
        {[...name][0]?.toUpperCase()}
      </text>
    </svg>
  );
}

/** Who wrote something, and when. */
export function By({ author, at, children }: { author: Schemas["Author"]; at: string; children?: ComponentChildren }) {
  return (
    <p class="by">
      <Avatar author={author} />
      <span>
        {author.name}{" "}
        <span class="quiet-text">
          · <When at={at} />
          {children}
        </span>
      </span>
    </p>
  );
}

export function NotFound() {
  isMissing.value = true;
  return (
    <div class="empty">
      <Heading>{t("notFound")}</Heading>
      <p>{t("notFoundHint")}</p>
      <a class="button" href="/">
        {t("toPosts")}
      </a>
    </div>
  );
}

// With their length in days.
const UNITS = Object.entries({ year: 365, month: 30, day: 1, hour: 1 / 24, minute: 1 / 1440 });

/** How long ago, with the exact time on hover: the reader's, which the server does not know. */
export function When({ at }: { at: string }) {
  const date = new Date(at);
  const element = useRef<HTMLTimeElement>(null);
  useEffect(() => element.current?.setAttribute("title", date.toLocaleString(language.value)));
  const days = (Date.now() - date.getTime()) / 86_400_000;
  const [unit, size] = UNITS.find(([, each]) => days >= each) ?? ["minute", 1];
  const words = new Intl.RelativeTimeFormat(language.value, { numeric: "auto" });
  return (
    <time ref={element} dateTime={at}>
      {words.format(-Math.floor(days / size), unit as "day")}
    </time>
  );
}

type ActionProps = { act: () => unknown; label: string; of?: string; ask?: string; kind?: string };

/** A button. `of`: what it belongs to, for screen readers; `ask`: what people confirm before it is gone for ever. */
export function Action({ act, label, of, ask, kind = ask ? "quiet danger" : "quiet" }: ActionProps) {
  return (
    <button type="button" class={kind} onClick={() => (!ask || confirm(ask)) && attempt(act())}>
      {label} {of && <span class="unseen">{of}</span>}
    </button>
  );
}

export function Problem({ failure, again }: { failure: Failure; again?: () => void }) {
  return (
    <div class="problem" role="alert">
      <p>{failure.message}</p>
      {again && <Action act={again} label={t("retry")} kind="" />}
    </div>
  );
}

export function Empty({ title, hint }: { title: keyof Texts; hint: keyof Texts }) {
  return (
    <div class="empty">
      <h2>{t(title)}</h2>
      <p>{t(hint)}</p>
    </div>
  );
}

/** What stands in the place of content: why it could not be read, or that it is still read. */
export function Pending({ failure, again, lines }: { failure?: Failure; again: () => void; lines?: number }) {
  return failure ? <Problem failure={failure} again={again} /> : <Skeleton {...(lines && { lines })} />;
}

/** A secret, in the only moment in which the service tells it. */
export function Secret({ text, hint }: { text: string | undefined; hint: string }) {
  return (
    <div role="status">
      {text && (
        <p class="panel">
          {hint} <code>{text}</code>
        </p>
      )}
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
