import { derive, staleAmong } from "../../lib/cleanup/derived-rows.ts";
import { defineFollowUp } from "../../lib/follow-up.ts";
import { sharedCommit } from "../../lib/table/shared-commit.ts";

// Each word of a title is a write.
const REWRITE_MS = 60_000;

/** Keeps the derived rows of posts: their places in `top` and `trending`, and the words by which they are found. */
export const work = defineFollowUp(
  {
    name: "derive",
    table: {
      DERIVED: ["get", "put", "delete"],
      POSTS: ["get"],
      CATALOGUE: ["get"],
      TOP: ["put", "delete"],
      TRENDING: ["put", "delete"],
      WORDS: ["put", "delete"],
    },
  },
  // Outside of a batch nothing is shared: the commit stops when the time is over.
  (postId, isOver, inBatch) =>
    derive(postId, { pause: REWRITE_MS, inBatch, commit: inBatch?.commit ?? sharedCommit(isOver) }),
  staleAmong,
);
