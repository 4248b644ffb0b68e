import * as z from "zod/mini";
import { prefix } from "../table/keys.ts";
import { range } from "../table/ranges.ts";
import { getFirst } from "../table/reads.ts";
import { type FoundPosts, findAllWithVoters } from "./posts.ts";
import { choicesOf } from "./subscriptions.ts";

/** What makes a post one's own: to have written it, or to have voted for it. */
type Tie = "post" | "vote";

/** The ids of the posts with a tie to a user, the newest first; `follow`: a choice to follow or to leave. */
async function tiedIds(userId: string, tie: Tie | "follow", count: number, before?: string) {
  const { items, more } = await getFirst(range.userPosts(userId, tie, before), z.object({ sk: z.string() }), count, {
    descending: true,
  });
  return { ids: items.map(({ sk }) => sk.slice(prefix[tie].length)), more };
}

/** The posts that a user wrote or voted for, the newest first, without deleted ones; `before` one of them. */
export async function ownPosts(userId: string, tie: Tie, count: number, before?: string): Promise<FoundPosts> {
  const { ids, more } = await tiedIds(userId, tie, count, before);
  return { found: await findAllWithVoters(ids), lastId: ids.at(-1), hasNext: more };
}

/**
 * The posts that a user follows, the newest posts first; `before` one of them. Nothing says since when: authors and
 * voters follow without a choice. Posts that the user left are read, but not found.
 */
export async function followedPosts(userId: string, count: number, before?: string): Promise<FoundPosts> {
  const [written, voted, chosen] = await Promise.all([
    tiedIds(userId, "post", count, before),
    tiedIds(userId, "vote", count, before),
    tiedIds(userId, "follow", count, before),
  ]);
  const byTie = new Set([...written.ids, ...voted.ids]);
  const byChoice = new Set(chosen.ids);
  const all = [...new Set([...byTie, ...byChoice])].sort().reverse();
  const ids = all.slice(0, count);
  const [posts, choices] = await Promise.all([
    findAllWithVoters(ids),
    choicesOf(
      userId,
      ids.filter((postId) => byChoice.has(postId)),
    ),
  ]);
  const isOn = new Map(choices.map(({ postId, on }) => [postId, on]));
  return {
    found: posts.filter(({ post: { postId } }) => isOn.get(postId) ?? byTie.has(postId)),
    lastId: ids.at(-1),
    hasNext: all.length > count || written.more || voted.more || chosen.more,
  };
}
