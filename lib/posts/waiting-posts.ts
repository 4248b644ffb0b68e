import * as z from "zod/mini";
import { statusList } from "../table/post-lists.ts";
import { range } from "../table/ranges.ts";
import { getFirst } from "../table/reads.ts";
import { OPEN_LETTER } from "../values/statuses.ts";
import { type FoundPosts, findAllWithVoters, type PostWithVoters } from "./posts.ts";

function isWaiting({ post }: PostWithVoters): boolean {
  return post.status === undefined && post.response === undefined;
}

/**
 * Looks at `count` open posts, the newest first, older than `before`, and returns those that wait for the team. They
 * have no list of their own, because nearly all open posts wait: who responds also gives a status.
 */
export async function waitingPosts(count: number, before?: string): Promise<FoundPosts> {
  const open = range.listRows(statusList(OPEN_LETTER), { before });
  // One more than the page has shows whether there is a next page.
  const { items } = await getFirst(open, z.object({ sk: z.string() }), count + 1, { descending: true });
  const ids = items.slice(0, count).map(({ sk }) => sk);
  const found = await findAllWithVoters(ids);
  return { found: found.filter(isWaiting), lastId: ids.at(-1), hasNext: items.length > count };
}
