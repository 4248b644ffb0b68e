import * as z from "zod/mini";
import type { UserRecord } from "../accounts/users.ts";
import { visibleCatalogue } from "../auth/visibility.ts";
import * as catalogue from "../catalogue/catalogue.ts";
import { ownPosts, type Tie } from "../posts/own-posts.ts";
import * as votes from "../votes/votes.ts";
import { optional } from "./inputs.ts";
import { pageSize, QueryNumber } from "./list-inputs.ts";
import { After, CountedPlace } from "./pages.ts";
import { type OwnPage, ownPageView } from "./resources/own-posts.ts";
import { postListView } from "./resources/posts.ts";

export const OwnQuery = z.object({ first: pageSize(QueryNumber, 20, 50), after: optional(After(CountedPlace)) });
type OwnQuery = z.output<typeof OwnQuery>;

/** The read units of a page: a post of a list costs 0.5 R, or up to 6 with a long text. */
export function readsOfOwnPage({ first }: OwnQuery): number {
  return 4 * first;
}

/** A page of the posts that the caller wrote or voted for. */
export async function ownPage(caller: UserRecord, tie: Tie, { first, after }: OwnQuery): Promise<OwnPage> {
  const [before, lastId] = after ?? [0, undefined];
  const [own, entries] = await Promise.all([ownPosts(caller.userId, tie, first, lastId), catalogue.read()]);
  const ownVotes = await votes.ownVotesOn(own.found, caller.userId, { contiguous: false });
  const posts = postListView(own.found, visibleCatalogue(caller, entries), caller.userId, ownVotes);
  return ownPageView(posts, { ...own, before, first });
}
