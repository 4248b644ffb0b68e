import { defineFollowUp } from "../../lib/follow-up.ts";
import * as wordRows from "../../lib/search/word-rows.ts";

/** Keeps the rows by which posts are found in step with their titles and places. */
export const work = defineFollowUp(
  {
    name: "write-words",
    queue: "TITLES",
    ignoresVotes: true,
    table: {
      POSTS: ["get", "batchGet", "check"],
      DERIVED: ["batchGet", "put", "delete"],
      WORDS: ["put", "delete"],
    },
  },
  wordRows.writeWords,
  (posts) => wordRows.behind(posts.map(({ post }) => post)),
);
