import { defineWork } from "../../lib/background.ts";
import { carryOut } from "../../lib/notices/fan-out.ts";

/** Mails new statuses, official responses and comments to those who asked for them. */
export const work = defineWork(
  {
    name: "send-notices",
    takes: "NOTICES",
    sendsMail: true,
    table: {
      NOTICES: ["get", "updateAlone", "deleteAlone"],
      EVENTS: ["get"],
      POSTS: ["get"],
      ACTIVITY: ["get"],
      CATALOGUE: ["get"],
      SITE: ["get"],
      USER: ["get"],
      SUBSCRIPTIONS: ["get", "query"],
      VOTES: ["query"],
      UNSUBSCRIBE: ["get", "put"],
      RATE: ["updateAlone"],
    },
  },
  carryOut,
);
