import * as z from "zod/mini";
import { may } from "../../lib/auth/permissions.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { PostId } from "../../lib/http/id-inputs.ts";
import { MERGED_POSTS, readWhereItContinues } from "../../lib/http/merged-posts.ts";
import { CountedPlace, cursorOf, cursorQuery, pagingOf } from "../../lib/http/pages.ts";
import { CursorPaging } from "../../lib/http/resources/answers.ts";
import { CastVote, castVoteView, ViewerVote, viewerVoteView } from "../../lib/http/resources/votes.ts";
import * as votes from "../../lib/votes/votes.ts";

/** A page of the votes on a post, with its voters; undefined without the post. */
async function readPage(
  postId: string,
  { first, after }: { first: number; after?: [number, string] | undefined },
  viewerId: string | undefined,
) {
  const [voters, page, ownVote] = await Promise.all([
    votes.summary(postId),
    // One more than the page has shows whether there is a next page.
    votes.readVotes(postId, first + 1, after?.[1]),
    viewerId && votes.voteOf(viewerId, postId),
  ]);
  return voters && { postId, voters, page, ownVote };
}

/**
 * Lists all votes on a post, in the order in which they were cast. The id of a merged post leads to the votes on the
 * post in which it continues.
 */
export const handler = defineEndpoint({
  name: "posts-votes",
  route: "GET /posts/{postId}/votes",
  access: "optional",
  request: z.object({ params: z.object({ postId: PostId }), query: z.object(cursorQuery(CountedPlace)) }),
  response: z.extend(CursorPaging, {
    results: z.array(CastVote),
    viewerVote: z.nullable(ViewerVote),
    votes: z.extend(CursorPaging, { results: z.array(CastVote), viewerVote: z.nullable(ViewerVote) }),
  }),
  errors: ["POST_NOT_FOUND"],
  table: { ...MERGED_POSTS, USER: ["get"], VOTES: ["query"] },
  prefetch: ({ params: { postId }, query }, viewerId) => readPage(postId, query, viewerId),
  handle: async ({ params, query, caller, prefetched, fail }) => {
    const read =
      prefetched ?? (await readWhereItContinues(params.postId, caller, (id) => readPage(id, query, caller?.userId)));
    if (!read) throw fail("POST_NOT_FOUND");
    const { first, after } = query;
    const { postId, voters, page, ownVote } = read;
    const seesBy = may(caller, "post:moderate");
    const results = page.votes.slice(0, first).map((vote) => castVoteView(vote, { seesBy }));
    const place = { before: after?.[0] ?? 0, first, total: voters.count, hasNext: page.votes.length > first };
    const paging = pagingOf(results, place, ({ voteId }, position) => cursorOf([position, voteId]));
    const viewerVote = caller ? viewerVoteView(postId, caller.userId, ownVote) : null;
    const list = { results, ...paging, viewerVote };
    return { ...list, votes: list };
  },
});
