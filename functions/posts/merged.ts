import * as z from "zod/mini";
import * as users from "../../lib/accounts/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { PostId, Uuid } from "../../lib/http/id-inputs.ts";
import { optional } from "../../lib/http/inputs.ts";
import { pageSize, QueryNumber } from "../../lib/http/list-inputs.ts";
import { After, cursorOf } from "../../lib/http/pages.ts";
import { PageInfo } from "../../lib/http/resources/answers.ts";
import { Merged, Moving, mergedView, movingView } from "../../lib/http/resources/posts.ts";
import { mergedInto } from "../../lib/posts/merged-posts.ts";
import * as votes from "../../lib/votes/votes.ts";

const query = z.object({ first: pageSize(QueryNumber, 20, 50), after: optional(After(z.tuple([Uuid]))) });

/**
 * Lists the posts that were merged into a post, and tells by `votes` whether votes are still moved to this post or from
 * it. A page can be short although more follow: rely on `has_next_page`.
 */
export const handler = defineEndpoint({
  name: "posts-merged",
  route: "GET /posts/{postId}/merge",
  permission: "post:moderate",
  request: z.object({ params: z.object({ postId: PostId }), query }),
  response: z.object({
    merged: z.array(Merged),
    votes: Moving,
    page_info: z.pick(PageInfo, { has_next_page: true, end_cursor: true }),
  }),
  errors: ["POST_NOT_FOUND"],
  table: { USER: ["get"], POSTS: ["get"], MERGED: ["get", "query"] },
  // A long post takes 6 R, and who merged it one.
  expectedReads: ({ query: { first } }) => 7 * first,
  handle: async ({ params: { postId }, query: { first, after }, fail }) => {
    const [voters, page] = await Promise.all([votes.summary(postId), mergedInto(postId, first, after?.[0])]);
    if (!voters) throw fail("POST_NOT_FOUND");
    const accounts = await users.findAll(page.found.flatMap(({ mergedBy }) => mergedBy ?? []));
    const byId = new Map(accounts.map((user) => [user.userId, user]));
    const end = page.more && page.lastId !== undefined ? cursorOf([page.lastId]) : null;
    return {
      merged: page.found.map((each) => mergedView(each, byId.get(each.mergedBy ?? ""))),
      votes: movingView(voters),
      page_info: { has_next_page: end !== null, end_cursor: end },
    };
  },
});
