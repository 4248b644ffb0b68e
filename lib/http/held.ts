import { visibleCatalogue } from "../auth/visibility.ts";
import * as catalogue from "../catalogue/catalogue.ts";
import { type Thing, thingOf } from "../posts/deciding-reports.ts";
import { type Held, hold, MOST_HELD } from "../posts/held.ts";
import type { HeldFor } from "../posts/holding.ts";
import * as posts from "../posts/posts.ts";
import { queueNewsPart } from "../posts/queue-news.ts";
import type { Reported } from "../posts/reports.ts";
import { allEnded } from "../runtime/all-ended.ts";
import { ApiError } from "../runtime/errors.ts";
import { key } from "../table/keys.ts";
import type { Part } from "../table/parts.ts";
import { getMany } from "../table/reads.ts";
import { VotersItem } from "../votes/votes.ts";
import type { Caller } from "./callers.ts";
import type { Around, AroundReports } from "./resources/held.ts";

// What endpoints share about posts and comments that wait for the team.

/** What functions that hold something need, for `table` in a definition. */
export const HOLDS = { SITE: ["get"], USER: ["query", "put", "update"], HELD: ["put"], NEWS: ["put"] } as const;

const HOUR = 60 * 60;

/** Holds a post or comment for the team to see. Throws TOO_MANY_REQUESTS if as many of its author wait as may. */
export async function holdForTeam(held: Held, idempotencyPart: Part | undefined): Promise<void> {
  const further = { idempotency: idempotencyPart, news: queueNewsPart(held.id) };
  const outcome = await hold(held, further);
  if (outcome === "held") return;
  // The account was erased during the call.
  if (outcome === "gone") throw new ApiError("INVALID_TOKEN");
  const message = `The team looks at ${MOST_HELD} of your posts and comments first: send more once it has`;
  throw new ApiError("TOO_MANY_REQUESTS", { message, retryAfter: HOUR });
}

const AGAINST: Record<HeldFor, string> = {
  first: "The team looks at your first texts before others see them",
  all: "The team looks at each text before others see it, so only the team can change it now",
  links: "The team looks at links of newcomers first: leave the links out",
  words: "The team looks at some of these words first: leave them out, or ask the team",
};

/** Why an author may not change a text now, in words. */
export function textAgainst(reason: HeldFor): string {
  return AGAINST[reason];
}

/** Finds the post in which a merged one continues. */
type Follow = (postId: string) => Promise<{ post: posts.PostRecord } | undefined>;

/** Posts by their ids; with `follow` also those in which merged ones continue, by the ids of these. */
async function postsBy(ids: string[], follow?: Follow): Promise<Map<string, posts.PostRecord>> {
  const wanted = [...new Set(ids)];
  const found = new Map((await getMany(wanted.map(key.post), posts.PostItem)).map((post) => [post.postId, post]));
  const missing = follow ? wanted.filter((id) => !found.has(id)) : [];
  await allEnded(
    missing.map(async (id) => {
      const last = await follow?.(id);
      if (last) found.set(id, last.post);
    }),
  );
  return found;
}

/**
 * Reads what views of held things need: the boards that the caller sees, and the posts that they see of comments. With
 * `follow` a merged post is the one in which it continues: there the comment will be.
 */
export async function around(found: readonly Held[], caller: Caller, follow?: Follow): Promise<Around> {
  const ids = found.flatMap((held) => (held.kind === "comment" ? [held.postId] : []));
  const [entries, read] = await Promise.all([catalogue.read(), postsBy(ids, follow)]);
  const seen = visibleCatalogue(caller, entries);
  const hidden = new Set(entries.boards.filter((board) => !seen.boards.includes(board)).map(({ boardId }) => boardId));
  const shown = [...read].filter(([, { boardId = "" }]) => !hidden.has(boardId));
  return { catalogue: seen, posts: new Map(shown) };
}

/** Reads what was reported, the votes on its posts, and the posts on which reported comments are. */
export async function aroundReports(reported: readonly Reported[]): Promise<AroundReports> {
  const reportedPosts = reported.filter(({ what }) => what === "post");
  const [read, voters] = await Promise.all([
    Promise.all(reported.map(async (each) => [each.id, await thingOf(each)] as const)),
    getMany(
      reportedPosts.map(({ id }) => key.voters(id)),
      VotersItem,
    ),
  ]);
  const things = new Map<string, Thing | undefined>(read);
  const ids = [...things.values()].flatMap((thing) => (thing?.what === "comment" ? [thing.comment.postId] : []));
  return { things, voters, posts: await postsBy(ids) };
}
