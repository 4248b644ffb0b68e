import { defineWork } from "../../lib/background.ts";
import { sweep } from "../../lib/cleanup/sweeps.ts";

/**
 * Deletes what a deleted post, board or roadmap left behind, then its tombstone. Repeated after a crash, it finishes
 * the work.
 */
export const work = defineWork(
  {
    name: "sweep",
    takes: "DELETED",
    table: {
      VOTES: ["query", "deleteAlone"],
      USER: ["deleteAlone"],
      ACTIVITY: ["query", "deleteAlone"],
      NOTES: ["query", "deleteAlone"],
      LIST: ["query", "deleteAlone"],
      COUNTS: ["query", "deleteAlone"],
      TOP: ["query", "delete", "deleteAlone"],
      TOP_COUNTS: ["query", "update", "deleteAlone"],
      TRENDING: ["query", "delete", "deleteAlone"],
      TRENDING_COUNTS: ["query", "update", "deleteAlone"],
      CATALOGUE: ["batchGet"],
      POSTS: ["query", "batchGet"],
      DERIVED: ["get", "batchGet", "delete"],
      WORDS: ["delete"],
      DELETED: ["get", "deleteAlone"],
    },
  },
  (deleted, isOver) => sweep(deleted, isOver),
);
