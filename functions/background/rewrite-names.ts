import { defineWork } from "../../lib/background.ts";
import * as renames from "../../lib/cleanup/renames.ts";

/** Writes a changed name or role into all posts, comments and votes of the user; continues after a crash. */
export const work = defineWork(
  {
    name: "rewrite-names",
    takes: "RENAMES",
    table: {
      RENAMES: ["get", "update", "deleteAlone"],
      USER: ["get", "query", "check"],
      POSTS: ["get", "update", "check"],
      MERGED: ["get", "update"],
      VOTES: ["get", "update"],
      ACTIVITY: ["get", "update"],
      NOTES: ["get", "update"],
    },
  },
  (jobId, isOver) => renames.carryOut(jobId, Date.now(), isOver),
);
