import type { TableAccess } from "../table/access.ts";
import { isEmpty } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { type Part, remove } from "../table/parts.ts";
import { transact } from "../table/transactions.ts";
import { type EventRecord, find } from "./events.ts";

/** Tells people or programs of an event, by parts with names of its own: a job for each event, or a delivery. */
export type Announcer = {
  table: TableAccess;
  partsFor(event: EventRecord): Promise<Record<string, Part>>;
  /** Called after the commit of its parts. */
  announced?(): Promise<void>;
};

/** Announces an event: all parts of all announcers are written once, whatever dies and however often it is called. */
export async function announce(eventId: string, announcers: readonly Announcer[]): Promise<"done"> {
  const event = await find(eventId);
  const told = event ? await Promise.all(announcers.map((announcer) => announcer.partsFor(event))) : [];
  const outcome = await transact<string>({
    news: remove(key.news(eventId), { if: "attribute_exists(pk)" }),
    ...Object.assign({}, ...told),
  });
  if (outcome.done) await Promise.all(announcers.map(({ announced }, n) => isEmpty(told[n] ?? {}) || announced?.()));
  if (outcome.done || outcome.failed.news) return "done";
  throw new Error(`the event ${eventId} could not be announced: ${Object.keys(outcome.failed)}`);
}
