import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Query, useRead } from "../data.ts";
import type { Page } from "../paging.ts";
import { keepOpenedPages, openedPages, scrollToKept } from "../places.ts";
import { t } from "../text.ts";
import { Pending } from "./basics.tsx";

type PagesProps<T extends Page> = {
  /** What reads the page after a cursor. */
  query: (after?: string) => Query<T>;
  /** What a page shows; of later ones, an empty one shows nothing: there is something above it. */
  show: (page: T, isFirst: boolean) => ComponentChildren;
  /** The address of the page after a cursor, for who reads without the script; the team's lists have none. */
  address?: (after: string) => string;
  after?: string;
  place?: number;
};

/** A list page by page. The address in the history keeps how many were opened, for the way back and a reload. */
export function Pages<T extends Page>({ query, show, address, after, place = 1 }: PagesProps<T>) {
  const { data: found, isOfAnother, ...read } = useRead(query(after));
  // Where the page before was read again and ends elsewhere now, this one stays until it is read from there.
  const last = useRef(found);
  if (found || isOfAnother) last.current = found;
  const data = last.current;
  const [isOpen, setOpen] = useState(() => (openedPages() ?? 0) >= place);
  const content = useRef<HTMLDivElement>(null);
  // The button that opened this page had the keyboard.
  useLayoutEffect(() => {
    if (place > 1 && document.activeElement === document.body) content.current?.focus({ preventScroll: true });
  }, []);
  // After a reload, page after page, until the place is there that was left.
  useEffect(() => {
    if (!data) return;
    scrollToKept(!isOpen);
  }, [!data]);
  // The same elements again render nothing: of many pages, only one that changed does.
  const shown = useMemo(() => data && show(data, place === 1), [data]);
  const next = useMemo(
    () =>
      data?.after && (
        <Pages query={query} show={show} {...(address && { address })} after={data.after} place={place + 1} />
      ),
    [data?.after],
  );
  const open = () => {
    keepOpenedPages(place);
    setOpen(true);
  };
  return (
    <>
      <div ref={content} class="page" tabIndex={-1}>
        {shown}
      </div>
      {(!data || read.failure) && <Pending {...read} />}
      {isOpen ? next : data?.after && <More href={address?.(data.after)} open={open} />}
    </>
  );
}

/** The way back from an address in the middle of a list. */
export function FromTheFirst({ href }: { href: string }) {
  return (
    <p>
      <a href={href}>{t("fromTheFirst")}</a>
    </p>
  );
}

/** Whether a press opens a link here: not in another tab or window. */
export function isPlain({ ctrlKey, metaKey, shiftKey, button }: MouseEvent): boolean {
  return !ctrlKey && !metaKey && !shiftKey && button === 0;
}

/** Opens the next page below this one; it is a link, so it can also be opened elsewhere. */
function More({ href, open }: { href: string | undefined; open: () => void }) {
  if (!href)
    return (
      <button type="button" class="more" onClick={open}>
        {t("more")}
      </button>
    );
  const press = (event: JSX.TargetedMouseEvent<HTMLAnchorElement>) => {
    if (!isPlain(event)) return;
    event.preventDefault();
    // Not to the router.
    event.stopPropagation();
    open();
  };
  return (
    <a class="button more" href={href} rel="next" onClick={press}>
      {t("more")}
    </a>
  );
}
