import * as z from "zod/mini";
import { key } from "../table/keys.ts";
import { type Part, put } from "../table/parts.ts";
import type { PostList } from "../table/post-lists.ts";

// A tombstone names what was deleted until the sweeper has deleted what that left behind.

export function postTombstone(postId: string): Part {
  return put(key.tombstone(postId), {});
}

/** Part: the tombstone of the list of a board or roadmap, with the time of the deletion. */
export function listTombstone(list: PostList): Part {
  return put(key.tombstone(list), { at: Date.now() });
}

export const TombstoneItem = z.object({ at: z.optional(z.number()) });
