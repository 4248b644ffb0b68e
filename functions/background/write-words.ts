import { defineFollowUp } from "../../lib/follow-up.ts";
import * as wordRows from "../../lib/search/word-rows.ts";

// Each word is a write, and a long text is checked with them.
const REWRITE_MS = 60_000;

/** Keeps the rows by which posts are found in step with their titles and places. */
export const work = defineFollowUp(
  {
    name: "write-words",
    queue: "TITLES",
    ignoresVotes: true,
    table: { POSTS: ["get", "check"], DERIVED: ["get", "put", "delete"], WORDS: ["put", "delete"] },
  },
  (postId) => wordRows.writeWords(postId, REWRITE_MS),
  (posts) => wordRows.behind(posts.map(({ post }) => post)),
);
