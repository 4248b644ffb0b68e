import * as z from "zod/mini";
import { visibleCatalogue } from "../../lib/auth/visibility.ts";
import * as catalogue from "../../lib/catalogue/catalogue.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { optional, pageSize, QueryNumber } from "../../lib/http/inputs.ts";
import { After, CountedPlace } from "../../lib/http/pages.ts";
import { OwnPage, ownPageView } from "../../lib/http/resources/own-posts.ts";
import { postListView } from "../../lib/http/resources/posts.ts";
import { ownPosts } from "../../lib/posts/own-posts.ts";
import * as votes from "../../lib/votes/votes.ts";

const query = z.object({ first: pageSize(QueryNumber, 20, 50), after: optional(After(CountedPlace)) });

/** Lists the posts that the caller has voted for, the newest posts first. */
export const handler = defineEndpoint({
  name: "users-votes",
  route: "GET /users/profile/votes",
  request: z.object({ query }),
  response: OwnPage,
  table: { USER: ["get", "query"], CATALOGUE: ["query"], POSTS: ["get"] },
  // A post of a list costs 0.5 R, or up to 6 with a long text.
  expectedReads: ({ query: { first } }) => 4 * first,
  handle: async ({ caller, query: { first, after } }) => {
    const [own, entries] = await Promise.all([ownPosts(caller.userId, "vote", first, after?.[1]), catalogue.read()]);
    const ownVotes = await votes.ownVotesOn(own.found, caller.userId, { contiguous: false });
    const posts = postListView(own.found, visibleCatalogue(caller, entries), caller.userId, ownVotes);
    return ownPageView(posts, { ...own, before: after?.[0] ?? 0, first });
  },
});
