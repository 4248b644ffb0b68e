import { key } from "../table/keys.ts";
import { type Part, remove } from "../table/parts.ts";
import { transact } from "../table/transactions.ts";
import { type EventRecord, find } from "./events.ts";

/**
 * Announces an event by parts with names of their own: a job for each reader, or a delivery. They are written once,
 * whatever dies and however often it is called.
 */
export async function announce(
  eventId: string,
  partsFor: (event: EventRecord) => Promise<Record<string, Part>>,
): Promise<"done"> {
  const event = await find(eventId);
  const outcome = await transact<string>({
    news: remove(key.news(eventId), { if: "attribute_exists(pk)" }),
    ...(event && (await partsFor(event))),
  });
  if (outcome.done || outcome.failed.news) return "done";
  throw new Error(`the event ${eventId} could not be announced: ${Object.keys(outcome.failed)}`);
}
