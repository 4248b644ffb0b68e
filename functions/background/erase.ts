import { defineWork } from "../../lib/background.ts";
import * as erasures from "../../lib/cleanup/erasures.ts";

/** Takes the name of an erased account from all that it wrote; continues after a crash. */
export const work = defineWork(
  {
    name: "erase",
    takes: "ERASURES",
    table: {
      ERASURES: ["get", "update", "deleteAlone"],
      USER: ["get", "query", "put", "delete"],
      POSTS: ["get", "update", "check"],
      MERGED: ["get", "query", "update", "check", "delete"],
      VOTES: ["get", "query", "update", "delete", "check"],
      ACTIVITY: ["get", "update"],
      NOTES: ["get", "update"],
      SUBSCRIPTIONS: ["delete"],
      HELD: ["get", "update", "delete"],
      EVENTS: ["query", "update"],
      // The lists of the figures name accounts.
      FIGURES: ["updateAlone"],
      KEY_USES: ["query", "deleteAlone"],
      OUTBOX: ["deleteAlone"],
    },
  },
  (userId, isOver) => erasures.carryOut(userId, Date.now(), isOver),
);
