import { defineWork } from "../../lib/background.ts";
import * as merges from "../../lib/cleanup/merges.ts";

/** Moves what a duplicate has to the post that it was merged into, or back; continues after a crash. */
export const work = defineWork(
  {
    name: "move-merged",
    takes: "MERGES",
    table: {
      MERGES: ["get", "delete"],
      MERGED: ["get", "query", "put", "update", "delete"],
      POSTS: ["get", "update", "check"],
      VOTES: ["get", "query", "put", "delete", "check"],
      ACTIVITY: ["get", "query", "put", "delete"],
      NOTES: ["get", "query", "put", "delete"],
      HELD: ["delete"],
      SUBSCRIPTIONS: ["get", "query", "put", "delete"],
      USER: ["get", "put", "update", "delete", "check"],
      ERASURES: ["get"],
      // It removes what was derived from the duplicate.
      DERIVED: ["get", "delete"],
      TOP: ["delete"],
      TRENDING: ["delete"],
      WORDS: ["delete"],
    },
  },
  (postId, isOver, inBatch) => merges.carryOut(postId, { isOver, commit: inBatch?.commit }),
);
