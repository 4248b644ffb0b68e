import * as z from "zod/mini";
import { may } from "../../lib/auth/permissions.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { optional, PostId, pageSize, QueryNumber } from "../../lib/http/inputs.ts";
import { After, CountedPlace, cursorOf, fittingPage, pagingOf } from "../../lib/http/pages.ts";
import { Activity, activityView, CursorPaging } from "../../lib/http/resources.ts";
import * as comments from "../../lib/posts/comments.ts";
import * as votes from "../../lib/votes/votes.ts";

// A numbered page reads all comments before it. After these, clients page by cursor.
const MAX_PASSED = 500;

const Visibility = z.pipe(
  optional(
    z
      .pipe(
        z.string().check(z.toLowerCase()),
        z.transform((words) => new Set(words.split(",").map((word) => word.trim()))),
      )
      .check(
        z.refine(
          (words) => [...words].every((word) => ["public", "internal"].includes(word)),
          "Must be public or internal",
        ),
        z.meta({ pattern: "^\\s*(public|internal)\\s*(,\\s*(public|internal)\\s*)*$" }),
      ),
  ),
  z.transform((words) => words ?? new Set(["public"])),
);

const query = z.object({
  page: optional(QueryNumber),
  limit: pageSize(QueryNumber, 20, 50),
  visibility: Visibility,
  first: optional(pageSize(QueryNumber, 20, 50)),
  after: optional(After(CountedPlace)),
});

/** The place of the page: `passed` comments precede it, or the one with the id `before`. */
function placeOf({ page = 1, limit, first, after }: z.output<typeof query>) {
  const size = first ?? limit;
  const [position, before] = after ?? [first === undefined ? (page - 1) * limit : 0, undefined];
  const passed = before === undefined ? position : 0;
  return { size, position, passed, range: { before, count: passed + size + 1 } };
}

/**
 * Lists the comments on a post, newest first. `visibility` is `public` (the default), `internal` or both; only
 * moderators and owners get notes. Numbered pages end after 500 comments; `first` and `after` reach the rest.
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
    const { passed, range } = placeOf(query);
    const wanted = query.visibility.has("public") && passed < MAX_PASSED;
    const [voters, found] = await Promise.all([votes.summary(postId), wanted ? comments.newest(postId, range) : []]);
    return { voters, found };
  },
  handle: async ({ params: { postId }, query, caller, prefetched: { voters, found }, fail }) => {
    if (!voters) throw fail("POST_NOT_FOUND");
    const { size, position, passed, range } = placeOf(query);
    // Notes are read only for a caller who may see them, so no other request names their keys.
    const seesNotes = may(caller, "comment:view_internal");
    const internal = query.visibility.has("internal") && seesNotes;
    const notes = internal && passed < MAX_PASSED ? await comments.newest(postId, { ...range, isInternal: true }) : [];
    const all = [...found, ...notes].sort((a, b) => (a.commentId < b.commentId ? 1 : -1));
    const activity = all.slice(passed, passed + size).map((comment) => activityView(comment, { seesBy: seesNotes }));
    // A numbered page is complete, so that the next one begins at its end.
    const page = query.first || query.after ? fittingPage(activity, 1) : activity;
    const total = (query.visibility.has("public") ? voters.comments : 0) + (internal ? voters.notes : 0);
    const place = { before: position, first: size, total, hasNext: all.length > passed + page.length };
    const paging = pagingOf(page, place, ({ id }, at) => cursorOf([at, id]));
    return { activity: page, ...paging };
  },
});
