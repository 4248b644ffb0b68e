import * as z from "zod/mini";
import { prefix } from "../table/keys.ts";
import { range } from "../table/ranges.ts";
import { getFirst } from "../table/reads.ts";
import { type FoundPosts, findAllWithVoters } from "./posts.ts";

/** What makes a post one's own: to have written it, or to have voted for it. */
type Tie = "post" | "vote";

/** The posts that a user wrote or voted for, the newest first, without deleted ones; `before` one of them. */
export async function ownPosts(userId: string, tie: Tie, count: number, before?: string): Promise<FoundPosts> {
  const { items, more } = await getFirst(range.userPosts(userId, tie, before), z.object({ sk: z.string() }), count, {
    descending: true,
  });
  const ids = items.map(({ sk }) => sk.slice(prefix[tie].length));
  return { found: await findAllWithVoters(ids), lastId: ids.at(-1), hasNext: more };
}
