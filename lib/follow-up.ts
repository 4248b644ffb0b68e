import type { CarryOut, Work, WorkDefinition } from "./background.ts";
import * as lists from "./lists/lists.ts";
import type { PostWithVoters } from "./posts/posts.ts";
import { mergeAccess } from "./table/access.ts";

// How many posts a follow-up checks each hour, whether or not the stream named them.
const AN_HOUR = 200;

/**
 * Makes the kind of background work that updates what is derived from each post and its voters. `carryOut` does it for
 * one post; it must be safe to repeat and to run in parallel. An absent post is a deleted one. `behind` returns the ids
 * of posts whose derived rows are stale.
 */
export function defineFollowUp(
  { table, ...definition }: Omit<WorkDefinition, "takes">,
  carryOut: CarryOut,
  behind: (posts: PostWithVoters[]) => Promise<string[]>,
): Work {
  return {
    definition: {
      ...definition,
      takes: "POSTS",
      table: mergeAccess([table, { POSTS: ["query"], LIST: ["query"], COUNTS: ["query"] }]),
    },
    carryOut,
    followUp: { behind, findBehind: async (at) => behind(await somePosts(at)) },
  };
}

/** The next 200 posts each hour, from the oldest to the newest and then again. */
async function somePosts(at: Date): Promise<PostWithVoters[]> {
  const pages = Math.max(1, Math.ceil((await lists.totalOfAll()) / AN_HOUR));
  const page = Math.floor(at.getTime() / 3_600_000) % pages;
  return lists.read({ order: "asc", offset: page * AN_HOUR, limit: AN_HOUR });
}
