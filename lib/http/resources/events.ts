import * as z from "zod/mini";
import type { StatusRecord } from "../../catalogue/statuses.ts";
import { type EventRecord, eventFields, eventTypes } from "../../events/events.ts";
import { createdAt, timeOf } from "../../values/ids.ts";
import { Status, statusThen } from "./catalogue.ts";

/** What happened, by ids; `from` and `to` are the statuses of a post, null for one that has been deleted. */
export const Event = z.object({
  eventId: z.string(),
  type: z.enum(eventTypes),
  createdAt: z.string(),
  ...eventFields,
  from: z.optional(z.nullable(Status)),
  to: z.optional(z.nullable(Status)),
});
export type Event = z.infer<typeof Event>;

export function eventView({ from, to, ...event }: EventRecord, statuses: StatusRecord[]): Event {
  const at = timeOf(event.eventId);
  const moved = { from: statusThen(statuses, from, at), to: statusThen(statuses, to, at) };
  return { ...event, createdAt: createdAt(event.eventId), ...(event.type === "post.status_changed" && moved) };
}
