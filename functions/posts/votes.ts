import * as z from "zod";
import * as votes from "../../lib/data/votes.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { optional, PostId, pageSize, QueryNumber, Uuid } from "../../lib/http/inputs.ts";
import { After, cursorOf, Position, pagingOf } from "../../lib/http/pages.ts";
import { CastVote, CursorPaging, ViewerVote } from "../../lib/http/schemas.ts";
import { castVoteView, viewerVoteView } from "../../lib/http/views.ts";

const query = z.object({
  first: pageSize(QueryNumber, 20, 100),
  // A place in the votes: how many were cast up to it, and the last of them.
  after: optional(After(z.tuple([Position, Uuid]))),
});

/** Beyond the contract: all votes on a post, page by page, in the order they were cast. */
export const handler = defineEndpoint(
  {
    name: "posts-votes",
    method: "GET",
    path: "/posts/{postId}/votes",
    access: "optional",
    request: z.object({ params: z.object({ postId: PostId }), query }),
    success: 200,
    response: z.object({
      votes: CursorPaging.extend({ results: z.array(CastVote), viewerVote: ViewerVote.nullable() }),
    }),
    errors: ["POST_NOT_FOUND"],
    table: { USER: ["get"], POSTS: ["get"], VOTES: ["query"] },
    read: async ({ params: { postId }, query: { first, after } }, viewerId) => {
      const [voters, page, ownVote] = await Promise.all([
        votes.summary(postId),
        // One more than is shown: it tells whether there is a next page.
        votes.votesAfter(postId, after?.[1], first + 1),
        viewerId && votes.voteOf(viewerId, postId),
      ]);
      return { voters, page, ownVote };
    },
  },
  async ({ params: { postId }, query: { first, after }, caller, read: { voters, page, ownVote }, fail }) => {
    if (!voters) throw fail("POST_NOT_FOUND");
    const results = page.items.slice(0, first).map(castVoteView);
    const where = { before: after?.[0] ?? 0, first, total: voters.count, hasNext: page.items.length > first };
    const paging = pagingOf(results, where, ({ voteId }, position) => cursorOf([position, voteId]));
    const viewerVote = caller ? viewerVoteView(postId, caller.userId, ownVote) : null;
    return { votes: { results, ...paging, viewerVote } };
  },
);
