import * as z from "zod/mini";
import { statusList } from "../table/post-lists.ts";
import { range } from "../table/ranges.ts";
import { getFirst } from "../table/reads.ts";
import { OPEN_LETTER } from "../values/statuses.ts";
import { waits } from "../values/waits.ts";
import { type FoundPosts, findAllWithVoters, type PostWithVoters } from "./posts.ts";

function isWaiting({ post }: PostWithVoters): boolean {
  return post.status === undefined && waits(post);
}

/**
 * Looks at `count` open posts, the newest first, older than `before`, and returns those that wait for the team. They
 * have no list of their own, because nearly all open posts wait: who responds also gives a status, and the team writes
 * few.
 */
export async function waitingPosts(count: number, before?: string): Promise<FoundPosts> {
  const open = range.listRows(statusList(OPEN_LETTER), { before });
  // One more than the page has shows whether there is a next page.
  const { items } = await getFirst(open, z.object({ sk: z.string() }), count + 1, { descending: true });
  const ids = items.slice(0, count).map(({ sk }) => sk);
  const found = await findAllWithVoters(ids);
  return { found: found.filter(isWaiting), lastId: ids.at(-1), hasNext: items.length > count };
}

// Nearly all open posts wait, so few are looked at in vain.
const LOOKED_AT = 500;
const PAGE = 50;

/** The oldest posts that wait for the team, `count` at most, among the 500 oldest open ones. */
export async function oldestWaiting(count: number): Promise<PostWithVoters[]> {
  const waiting: PostWithVoters[] = [];
  const open = range.listRows(statusList(OPEN_LETTER));
  const { items } = await getFirst(open, z.object({ sk: z.string() }), LOOKED_AT);
  for (let at = 0; at < items.length && waiting.length < count; at += PAGE) {
    const found = await findAllWithVoters(items.slice(at, at + PAGE).map(({ sk }) => sk));
    waiting.push(...found.filter(isWaiting));
  }
  return waiting.slice(0, count);
}
