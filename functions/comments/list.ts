import * as z from "zod/mini";
import { may } from "../../lib/auth/permissions.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { optional, PostId, pageSize, QueryNumber, wordSet } from "../../lib/http/inputs.ts";
import { After, CountedPlace, cursorOf, onePage, pagingOf } from "../../lib/http/pages.ts";
import { Activity, activityView, CursorPaging } from "../../lib/http/resources.ts";
import * as comments from "../../lib/posts/comments.ts";
import * as votes from "../../lib/votes/votes.ts";

// A numbered page reads the rows of all comments before it. After these, clients page by cursor.
const MAX_PASSED = 500;

const query = z
  .object({
    page: optional(QueryNumber),
    limit: pageSize(QueryNumber, 20, 50),
    visibility: wordSet(["public", "internal"]),
    first: optional(pageSize(QueryNumber, 20, 50)),
    after: optional(After(CountedPlace)),
  })
  .check(onePage);

/** The page: its number counted from `before`, a comment's id, or from the newest comment; `rows` to find it in. */
function placeOf({ page = 1, limit, first, after }: z.output<typeof query>) {
  const size = first ?? limit;
  const number = first === undefined && !after ? page : 1;
  const [position, before] = after ?? [0, undefined];
  return {
    size,
    number,
    position,
    rows: { before, count: number * size + 1 },
    isReached: (number - 1) * size < MAX_PASSED,
  };
}

/**
 * Lists the comments on a post, newest first. `visibility` is `public` (the default), `internal` or both; only
 * moderators and owners get notes. A page ends after 64 KB of text, with fewer than `limit` or `first` comments if they
 * are long; the next page begins there. Numbered pages end after 500 comments; `first` and `after` reach the rest.
 */
export const handler = defineEndpoint({
  name: "comments-list",
  route: "GET /posts/{postId}/activity",
  access: "optional",
  request: z.object({ params: z.object({ postId: PostId }), query }),
  response: z.extend(CursorPaging, { activity: z.array(Activity) }),
  errors: ["POST_NOT_FOUND"],
  table: { POSTS: ["get"], ACTIVITY: ["query"], NOTES: ["query"] },
  prefetch: async ({ params: { postId }, query }) => {
    const { rows, isReached } = placeOf(query);
    const isRead = query.visibility.has("public") && isReached;
    const [voters, found] = await Promise.all([
      votes.summary(postId),
      isRead ? comments.newestRows("comment", postId, rows) : [],
    ]);
    return { voters, found };
  },
  handle: async ({ params: { postId }, query, caller, prefetched: { voters, found }, fail }) => {
    if (!voters) throw fail("POST_NOT_FOUND");
    const { size, number, position, rows: place, isReached } = placeOf(query);
    const seesNotes = may(caller, "comment:view_internal");
    // Notes are read only for a caller who may see them, so no other request names their keys.
    const shown: comments.Kind[] = [];
    if (query.visibility.has("internal") && seesNotes) shown.push("note");
    if (query.visibility.has("public")) shown.push("comment");
    const rows = new Map(found.map((row) => [row.commentId, row]));
    // Comments once more after notes: one that changed its kind in between is in one of the three lists.
    for (const kind of isReached && shown[0] === "note" ? shown : []) {
      for (const row of await comments.newestRows(kind, postId, place)) rows.set(row.commentId, row);
    }
    const all = [...rows.values()].sort((a, b) => (a.commentId < b.commentId ? 1 : -1));
    const { start, end } = comments.pageAt(all, number, size);
    const page = all.slice(start, end);
    // A comment that goes in between is left out, and its row still has a place in the list.
    const read = await comments.ofRows(shown, postId, page);
    const seen = await comments.asSeen(read, seesNotes || voters.notes === 0);
    const results = seen.map((comment) => activityView(comment, { seesBy: seesNotes }));
    const total = (shown.includes("comment") ? voters.comments : 0) + (shown.includes("note") ? voters.notes : 0);
    const paging = pagingOf(
      page,
      { before: position + start, first: size, total, hasNext: all.length > end },
      ({ commentId }, at) => cursorOf([at, commentId]),
    );
    return { activity: results, ...paging };
  },
});
