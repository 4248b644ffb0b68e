import { defineWork } from "../../lib/background.ts";
import { sweep } from "../../lib/cleanup/sweeps.ts";
import { NEW_EVENT } from "../../lib/events/events.ts";
import { mergeAccess } from "../../lib/table/access.ts";
import { work as derive } from "./derive.ts";

/** Deletes what a deleted post, board or roadmap left behind, then its tombstone; continues after a crash. */
export const work = defineWork(
  {
    name: "sweep",
    takes: "DELETED",
    table: mergeAccess([
      derive.definition.table,
      {
        VOTES: ["query", "deleteAlone"],
        USER: ["deleteAlone"],
        ACTIVITY: ["query", "deleteAlone"],
        NOTES: ["query", "deleteAlone"],
        HELD: ["deleteAlone"],
        SUBSCRIPTIONS: ["query", "deleteAlone"],
        MERGED: ["get", "query", "deleteAlone"],
        LIST: ["query", "put", "deleteAlone"],
        COUNTS: ["query", "update", "deleteAlone"],
        TOP: ["query", "deleteAlone"],
        TOP_COUNTS: ["query", "deleteAlone"],
        TRENDING: ["query", "deleteAlone"],
        TRENDING_COUNTS: ["query", "deleteAlone"],
        // It also looks for a tombstone that names a board, by the right with which its function finds them all.
        DELETED: ["get", "deleteAlone"],
        // Posts of a deleted board move to another one.
        POSTS: ["get", "update"],
        CATALOGUE: ["update", "check"],
        ...NEW_EVENT,
      },
    ]),
  },
  (deleted, isOver, inBatch) => sweep(deleted, isOver, Date.now(), inBatch?.commit),
);
