import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { useLater } from "../../parts/use-later.ts";
import type { Board } from "../../site.ts";
import { t } from "../../text.ts";
import { addressOf, LONGEST_SEARCH, ORDERS, wordsOf } from "./address.ts";

/** The key `/` leads to the search, unless it is typed into a field. */
function useSearchKey(words: RefObject<HTMLInputElement>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyped = event.target instanceof Element && event.target.closest("input, textarea, select");
      if (event.key !== "/" || isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      words.current?.focus();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

/** The search and the order. A search has none: its best matches come first. */
export function Search({ board, children }: { board: Board | undefined; children: ComponentChildren }) {
  const { query, route } = useLocation();
  const words = useRef<HTMLInputElement>(null);
  useSearchKey(words);
  /** The page's address with what was typed a moment ago. */
  const addressNow = () => addressOf(board, { ...query, after: "", q: words.current?.value ?? query.q ?? "" });
  const isAhead = () => words.current && words.current.value !== (query.q ?? "");
  // A link to an order, a board, a status or a tag takes along what was typed just before.
  useEffect(() => {
    const press = ({ target }: Event) => {
      if (target instanceof Element && target.closest("main nav a") && isAhead()) route(addressNow(), true);
    };
    addEventListener("pointerdown", press);
    return () => removeEventListener("pointerdown", press);
  });
  const findSoon = useLater(() => route(addressNow(), true));
  // The way back through the history also changes the words; typing is ahead of the address bar. So are words that were
  // typed before the script was there.
  const shown = useRef(query.q);
  useEffect(() => {
    if (shown.current === query.q) return;
    shown.current = query.q;
    if (words.current && words.current !== document.activeElement) words.current.value = query.q ?? "";
  }, [query.q]);
  // Without the script the browser sends the words.
  const find = (event: Event) => {
    event.preventDefault();
    if (isAhead()) route(addressNow(), true);
  };
  const isSearch = wordsOf(query.q) !== "";
  const chosen = ORDERS.find((each) => each === query.order) ?? "trending";
  return (
    <search class="bar">
      <form action={addressOf(board, {})} onSubmit={find}>
        <input
          ref={words}
          type="search"
          name="q"
          dir="auto"
          aria-label={t("searchPosts")}
          aria-keyshortcuts="/"
          placeholder={t("searchPosts")}
          maxLength={LONGEST_SEARCH}
          defaultValue={query.q}
          onInput={() => findSoon()}
        />
        {query.status && <input type="hidden" name="status" value={query.status} />}
        {query.tag && <input type="hidden" name="tag" value={query.tag} />}
      </form>
      {children}
      {!isSearch && (
        <nav class="tabs" aria-label={t("order")}>
          {ORDERS.map((order) => (
            <a
              key={order}
              href={addressOf(board, { ...query, after: "", order })}
              aria-current={order === chosen ? "true" : undefined}
            >
              {t(order)}
            </a>
          ))}
        </nav>
      )}
    </search>
  );
}
