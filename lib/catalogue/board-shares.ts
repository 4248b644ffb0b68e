import * as z from "zod/mini";
import { EXPIRY_ATTRIBUTE, key } from "../table/keys.ts";
import { type Part, update } from "../table/parts.ts";

// The number of posts of a board on which many are made at once is spread over shares: items beside the board, which readers of the
// board find by the same Query. docs/data-model.md#many-new-posts

/** The number of shares: of 200 new posts a second, one in twenty meets another there. */
const SHARES = 64;

/** Parses a share of a board's number of posts. A closed one belongs to a board that was deleted. */
export const ShareItem = z.object({ sk: z.string(), posts: z.number() });
export type Share = z.output<typeof ShareItem>;

/** Whether an entry of the catalogue is a share. */
export function isShare<T extends object>(entry: T | Share): entry is Share {
  return "posts" in entry;
}

/** Part: counts a new post in one share of its board's number of posts; fails if the board was deleted. */
export function sharePart(boardId: string): Part {
  return update(key.boardShare(boardId, Math.floor(Math.random() * SHARES)), "ADD posts :one", {
    if: "attribute_not_exists(closed)",
    values: { ":one": 1 },
  });
}

// Longer than any request that read the board before it was deleted.
const KEPT_SECONDS = 24 * 60 * 60;

/** The parts that close all shares of a board: no new post is counted there any more. */
export function closeParts(boardId: string): Record<string, Part> {
  return Object.fromEntries(
    Array.from({ length: SHARES }, (_, number) => [
      `share ${number}`,
      update(
        key.boardShare(boardId, number),
        "SET closed = :true, #expiry = :expiry, posts = if_not_exists(posts, :none)",
        {
          names: { "#expiry": EXPIRY_ATTRIBUTE },
          values: { ":true": true, ":expiry": Math.floor(Date.now() / 1000) + KEPT_SECONDS, ":none": 0 },
        },
      ),
    ]),
  );
}
