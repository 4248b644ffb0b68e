import { defineWork } from "../../lib/background.ts";
import { webhookAnnouncer } from "../../lib/deliveries/announcer.ts";
import { type Announcer, announce } from "../../lib/events/announce.ts";
import { announcer as notices } from "../../lib/notices/notices.ts";
import { mergeAccess } from "../../lib/table/access.ts";

/** By whom people and programs are told of events. */
const announcers: readonly Announcer[] = [webhookAnnouncer, notices];

/** Announces each new event. */
export const work = defineWork(
  {
    name: "announce",
    callsDeliver: true,
    takes: "NEWS",
    table: mergeAccess([{ NEWS: ["delete"], EVENTS: ["get"] }, ...announcers.map(({ table }) => table)]),
  },
  (eventId) => announce(eventId, announcers),
);
