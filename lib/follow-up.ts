import type { CarryOut, Work, WorkDefinition } from "./background.ts";
import * as lists from "./lists/lists.ts";
import type { PostWithVoters } from "./posts/posts.ts";
import { mergeAccess } from "./table/access.ts";

// How many posts a follow-up checks each hour, whether or not the stream named them.
const POSTS_AN_HOUR = 200;

/**
 * Makes the kind of background work that updates what is derived from each post and its voters. `carryOut` does it for
 * one post; it must be safe to repeat and to run in parallel. `staleAmong` returns the ids of the posts whose derived
 * rows are stale.
 */
export function defineFollowUp(
  { table, ...definition }: Omit<WorkDefinition, "takes">,
  carryOut: CarryOut,
  staleAmong: (posts: PostWithVoters[]) => Promise<string[]>,
): Work {
  return {
    definition: {
      ...definition,
      takes: "POSTS",
      table: mergeAccess([table, { POSTS: ["query"], LIST: ["query"], COUNTS: ["query"] }]),
    },
    carryOut,
    followUp: { staleAmong, findStale: async (at) => staleAmong(await somePosts(at)) },
  };
}

/** The next 200 posts each hour, from the oldest to the newest and then again. */
async function somePosts(at: Date): Promise<PostWithVoters[]> {
  const pages = Math.max(1, Math.ceil((await lists.totalOfAll()) / POSTS_AN_HOUR));
  const page = Math.floor(at.getTime() / 3_600_000) % pages;
  return lists.read({ order: "asc", offset: page * POSTS_AN_HOUR, limit: POSTS_AN_HOUR });
}
