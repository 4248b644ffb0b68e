import * as z from "zod/mini";
import { may } from "../../lib/auth/permissions.ts";
import * as statuses from "../../lib/catalogue/statuses.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { PostId } from "../../lib/http/id-inputs.ts";
import { optional } from "../../lib/http/inputs.ts";
import { pageSize, QueryNumber, wordSet } from "../../lib/http/list-inputs.ts";
import { After, CountedPlace, cursorOf, onePage, pagingOf } from "../../lib/http/pages.ts";
import { CursorPaging } from "../../lib/http/resources/answers.ts";
import { Activity, activityView, StatusActivity, statusActivityView } from "../../lib/http/resources/comments.ts";
import * as comments from "../../lib/posts/comments.ts";
import * as statusChanges from "../../lib/posts/status-changes.ts";
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
    first: optional(pageSize(QueryNumber, 20, 50)),
    after: optional(After(CountedPlace)),
  })
  .check(onePage);

/** The page, numbered from the newest comment or from the comment `before`, and the rows to find it in. */
function placeOf({ page = 1, limit, first, after, type, visibility }: z.output<typeof query>) {
  const size = first ?? limit;
  const isOfOneKind = type.size === 1 && visibility.size === 1;
  const number = first === undefined && !after ? page : 1;
  const [position, before] = after ?? [0, undefined];
  return {
    size,
    number,
    position,
    rows: { before, count: number * size + 1 },
    isReached: (number - 1) * size < (isOfOneKind ? MAX_PASSED : MAX_PASSED_OF_KINDS),
  };
}

/**
 * Lists the comments on a post, newest first. With the type `status` it also lists the changes of the post's status.
 * `visibility` is `public` (the default), `internal` or both; only moderators and owners get notes. A page ends after
 * 64 KB of text, so it has fewer than `limit` or `first` comments if they are long; the next page begins there.
 * Numbered pages end after 500 comments, or after 150 with notes or changes of the status; `first` and `after` reach
 * the rest.
 */
export const handler = defineEndpoint({
  name: "comments-list",
  route: "GET /posts/{postId}/activity",
  access: "optional",
  request: z.object({ params: z.object({ postId: PostId }), query }),
  response: z.extend(CursorPaging, { activity: z.array(z.union([Activity, StatusActivity])) }),
  errors: ["POST_NOT_FOUND"],
  table: { POSTS: ["get"], ACTIVITY: ["query"], NOTES: ["query"], CATALOGUE: ["get"] },
  prefetch: async ({ params: { postId }, query }) => {
    const { rows, isReached } = placeOf(query);
    const isRead = query.type.has("comment") && query.visibility.has("public") && isReached;
    const withStatuses = query.type.has("status") && isReached;
    const [voters, found, changes, list] = await Promise.all([
      votes.summary(postId),
      isRead ? comments.newestRows("comment", postId, rows) : [],
      withStatuses ? statusChanges.newest(postId, rows) : [],
      withStatuses ? statuses.read() : undefined,
    ]);
    return { voters, found, changes, list };
  },
  handle: async ({ params: { postId }, query, caller, prefetched: { voters, found, changes, list }, fail }) => {
    if (!voters) throw fail("POST_NOT_FOUND");
    const { size, number, position, rows: place, isReached } = placeOf(query);
    const seesNotes = may(caller, "comment:view_internal");
    // Notes are read only for a caller who may see them, so no other request names their keys.
    const shown: comments.Kind[] = [];
    const withComments = query.type.has("comment");
    if (withComments && query.visibility.has("internal") && seesNotes) shown.push("note");
    if (withComments && query.visibility.has("public")) shown.push("comment");
    const notes = isReached && shown[0] === "note" ? await comments.newestRows("note", postId, place) : [];
    const changesById = new Map(changes.map((change) => [change.changeId, change]));
    const rowsOfChanges = changes.map(({ changeId }) => ({ commentId: changeId, kb: 0 }));
    const rows = new Map([...found, ...notes, ...rowsOfChanges].map((row) => [row.commentId, row]));
    const all = [...rows.values()].sort((a, b) => (a.commentId < b.commentId ? 1 : -1));
    const { start, end } = comments.pageAt(all, number, size);
    const page = all.slice(start, end).map(({ commentId }) => commentId);
    const bounds = {
      before: all[start - 1]?.commentId ?? place.before,
      from: end < all.length ? page.at(-1) : undefined,
    };
    const idsOfComments = page.filter((id) => !changesById.has(id));
    const read = isReached ? await comments.inPage(shown, postId, idsOfComments, bounds) : [];
    const seen = await comments.asSeen(read, seesNotes || voters.notes === 0);
    const seenById = new Map(seen.map((comment) => [comment.commentId, comment]));
    // A comment that changed its kind between the two reads has no row here. The row of a deleted comment keeps its
    // place.
    const ids = [...new Set([...page, ...seenById.keys()])].sort().reverse();
    const sees = { seesBy: seesNotes };
    const results = ids.slice(0, size).flatMap((id): (Activity | StatusActivity)[] => {
      const [comment, change] = [seenById.get(id), changesById.get(id)];
      if (change && list) return [statusActivityView(change, list.statuses, sees)];
      return comment ? [activityView(comment, sees)] : [];
    });
    const total =
      (shown.includes("comment") ? voters.comments : 0) +
      (shown.includes("note") ? voters.notes : 0) +
      (query.type.has("status") ? voters.statuses : 0);
    const hasNext = all.length > end || ids.length > size;
    const paging = pagingOf(ids.slice(0, size), { before: position + start, first: size, total, hasNext }, (id, at) =>
      cursorOf([at, id]),
    );
    return { activity: results, ...paging };
  },
});
