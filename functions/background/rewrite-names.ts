import { defineBackground } from "../../lib/background.ts";
import * as renames from "../../lib/data/renames.ts";

/** Writes a changed name or role into all posts, comments and votes of the user; after a crash it goes on where it stopped. */
export const handler = defineBackground(
  {
    name: "rewrite-names",
    takes: "RENAMES",
    table: {
      RENAMES: ["get", "update", "deleteAlone"],
      USER: ["get", "query", "check"],
      POSTS: ["batchGet", "update", "check"],
      VOTES: ["batchGet", "update"],
      ACTIVITY: ["batchGet", "update"],
      NOTES: ["batchGet", "update"],
    },
  },
  (jobId) => renames.carryOut(jobId),
);
