import * as z from "zod/mini";
import { may } from "../../lib/auth/permissions.ts";
import * as statuses from "../../lib/catalogue/statuses.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { PostId } from "../../lib/http/id-inputs.ts";
import { optional } from "../../lib/http/inputs.ts";
import { pageSize, QueryNumber, SortByTime, wordSet } from "../../lib/http/list-inputs.ts";
import { MERGED_POSTS, readWhereItContinues } from "../../lib/http/merged-posts.ts";
import { withoutHiddenOrigins } from "../../lib/http/moved-comments.ts";
import { After, CountedPlace, cursorOf, onePage, pagingOf } from "../../lib/http/pages.ts";
import { CursorPaging } from "../../lib/http/resources/answers.ts";
import { Activity, activityView, StatusActivity, statusActivityView } from "../../lib/http/resources/comments.ts";
import { activityPage, beginPage, type Place } from "../../lib/posts/activity-page.ts";
import type { Kind } from "../../lib/posts/comments.ts";
import type { Voters } from "../../lib/votes/votes.ts";
import * as votes from "../../lib/votes/votes.ts";

// A numbered page reads the rows of everything before it, of each kind. After these, clients page by cursor.
const MAX_PASSED = 500;
const MAX_PASSED_OF_KINDS = 150;

const query = z
  .object({
    page: optional(QueryNumber),
    limit: pageSize(QueryNumber, 20, 50),
    type: wordSet(["comment", "status"]),
    visibility: wordSet(["public", "internal"]),
    sort: optional(SortByTime),
    first: optional(pageSize(QueryNumber, 20, 50)),
    after: optional(After(CountedPlace)),
  })
  .check(onePage);

type Query = z.output<typeof query>;

/** The page; undefined if too many rows lie before it. */
function placeOf({ page = 1, limit, first, after, type, visibility, sort }: Query): Place | undefined {
  const isOldestFirst = sort === "asc";
  if (first !== undefined || after) {
    // The first page after the place that the cursor names.
    const [, past] = after ?? [];
    return { number: 1, size: first ?? limit, past, isOldestFirst };
  }
  const isOfOneKind = type.size === 1 && visibility.size === 1;
  const isTooFar = (page - 1) * limit >= (isOfOneKind ? MAX_PASSED : MAX_PASSED_OF_KINDS);
  return isTooFar ? undefined : { number: page, size: limit, isOldestFirst };
}

/** The kinds of comments in the list. Notes are not even read for a caller who may not see them. */
function kindsOf({ type, visibility }: Query, seesNotes: boolean): Kind[] {
  if (!type.has("comment")) return [];
  const kinds: Kind[] = [];
  if (visibility.has("internal") && seesNotes) kinds.push("note");
  if (visibility.has("public")) kinds.push("comment");
  return kinds;
}

function totalOf(voters: Voters, kinds: Kind[], withChanges: boolean): number {
  const comments = kinds.includes("comment") ? voters.comments : 0;
  const notes = kinds.includes("note") ? voters.notes : 0;
  return comments + notes + (withChanges ? voters.statuses : 0);
}

/** What everybody may see of a page, with the voters of the post; undefined without the post. */
async function readPage(postId: string, query: Query) {
  const place = placeOf(query);
  const hasChanges = query.type.has("status");
  const hasComments = query.type.has("comment") && query.visibility.has("public");
  const [voters, begun, list] = await Promise.all([
    votes.summary(postId),
    place && beginPage(postId, place, { hasComments, hasChanges }),
    place && hasChanges ? statuses.read() : undefined,
  ]);
  return voters && { postId, voters, begun, allStatuses: list?.statuses ?? [] };
}

/**
 * Lists the comments on a post, newest first by default. With the type `status` it also lists the changes of the post's
 * status. `visibility` is `public` (the default), `internal` or both; only moderators and owners get notes. A page ends
 * after 64 KB of text, so it has fewer than `limit` or `first` comments if they are long; the next page begins there.
 * Numbered pages end after 500 entries, or after 150 of a list of several kinds (comments, notes, changes of the
 * status); `first` and `after` reach the rest. The id of a merged post leads to the comments of the post in which it
 * continues.
 */
export const handler = defineEndpoint({
  name: "comments-list",
  route: "GET /posts/{postId}/activity",
  access: "optional",
  request: z.object({ params: z.object({ postId: PostId }), query }),
  response: z.extend(CursorPaging, { activity: z.array(z.union([Activity, StatusActivity])) }),
  errors: ["POST_NOT_FOUND"],
  table: { ...MERGED_POSTS, ACTIVITY: ["query"], NOTES: ["query"] },
  prefetch: ({ params: { postId }, query }) => readPage(postId, query),
  handle: async ({ params, query, caller, prefetched, fail }) => {
    const read = prefetched ?? (await readWhereItContinues(params.postId, caller, (id) => readPage(id, query)));
    if (!read) throw fail("POST_NOT_FOUND");
    const { postId, voters, begun, allStatuses } = read;
    const seesNotes = may(caller, "comment:view_internal");
    const kinds = kindsOf(query, seesNotes);
    const hidesParents = !seesNotes && voters.notes > 0;
    // A page that is too far away is empty.
    const { entries, start, hasNext } = begun
      ? await activityPage(postId, begun, { kinds, hidesParents })
      : { entries: [], start: 0, hasNext: false };
    // The team, which sees notes, also sees who changed a comment or the status.
    const sees = { seesBy: seesNotes };
    const written = entries.flatMap(({ comment }) => comment ?? []);
    const shown = new Map((await withoutHiddenOrigins(written, caller)).map((comment) => [comment.commentId, comment]));
    const activity = entries.flatMap(({ id, change }): (Activity | StatusActivity)[] => {
      const comment = shown.get(id);
      if (comment) return [activityView(comment, sees)];
      return change ? [statusActivityView(change, allStatuses, sees)] : [];
    });
    const [passed = 0] = query.after ?? [];
    const total = totalOf(voters, kinds, query.type.has("status"));
    const paging = pagingOf(
      entries,
      { before: passed + start, first: query.first ?? query.limit, total, hasNext },
      ({ id }, position) => cursorOf([position, id]),
    );
    return { activity, ...paging };
  },
});
