import { wholeWithin } from "../../../lib/values/graphemes.ts";
import type { Wanted } from "../../posts.ts";
import type { Board } from "../../site.ts";
import { withQuery } from "../../with-query.ts";

// The list's address holds what it shows: /boards/<url>?order=top&status=planned&tag=<id>&q=words&after=<cursor>

export const ORDERS = ["trending", "top", "newest"] as const;

const PAGE = 20;
export const LONGEST_SEARCH = 100;

/** Words as the search takes them. People paste line breaks, and too much. Only what is visible is searched. */
export function wordsOf(q = ""): string {
  const line = q.replace(/[\p{Cc}\p{Cs}]+/gu, " ").trim();
  const words = wholeWithin(line, LONGEST_SEARCH).trim();
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(words) ? words : "";
}

/** What an address asks for. */
export function wantedOf({ order, status, tag, q }: Record<string, string>, boardId: string | undefined): Wanted {
  const query = wordsOf(q);
  return {
    ...(query && { query }),
    sort: ORDERS.find((each) => each === order) ?? "trending",
    ...(boardId && { boardId: [boardId] }),
    ...(status && { status }),
    ...(tag && { tag }),
    first: PAGE,
  };
}

/** The address of a list. An order counts only without a search, whose best matches come first. */
export function addressOf(board: Board | undefined, { order, status, tag, q, after }: Record<string, string>): string {
  return withQuery(board ? `/boards/${board.url}` : "/", { order, status, tag, q, after });
}

/** A new post begins with what the reader was looking for. */
export function newPostUrl({ q }: Record<string, string>, board: Board | undefined): string {
  return withQuery("/new", { title: q, board: board?.boardId });
}
