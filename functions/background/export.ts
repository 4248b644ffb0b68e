import { defineWork } from "../../lib/background.ts";
import { carryOut } from "../../lib/moving/export-job.ts";

/** Writes the owner's export of all of the site, piece by piece, and removes it after an hour. */
export const work = defineWork(
  {
    name: "export",
    takes: "EXPORTS",
    writesExports: true,
    table: {
      EXPORTS: ["get", "update", "deleteAlone"],
      SITE: ["get", "update"],
      CATALOGUE: ["query"],
      USERS: ["query"],
      USER: ["get"],
      POSTS: ["get", "query"],
      MERGED: ["get", "query"],
      VOTES: ["query"],
      ACTIVITY: ["query"],
      HELD: ["query"],
      NOTES: ["query"],
      SUBSCRIPTIONS: ["query"],
      IMPORTS: ["query"],
      IMPORTED: ["get", "query"],
      OLD_SLUG: ["get"],
      EVENTS: ["query"],
      OUTBOX: ["put"],
    },
  },
  carryOut,
);
