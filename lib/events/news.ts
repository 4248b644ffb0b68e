import * as z from "zod/mini";
import { setAlone, setFields } from "../table/changes.ts";
import type { Found } from "../table/due.ts";
import { key } from "../table/keys.ts";
import { type Part, remove } from "../table/parts.ts";
import { range } from "../table/ranges.ts";
import { getOrThrow, pagesOf } from "../table/reads.ts";
import { SETTLE_MS } from "../table/settling.ts";
import { removeAlone } from "../table/single-writes.ts";
import { firstIdAt, timeOf } from "../values/ids.ts";
import type { EventRecord } from "./events.ts";
import * as events from "./events.ts";

// An event has the mark `isNews` until it is announced. Who announces it takes the mark off, on condition that it is
// there, so it is announced once. The stream hands over each new event; where its record is lost, the mark is found.
//
// The search reads the events since a moment, and then keeps a later moment: each event before it has been announced,
// or has a due entry. So only the events of the last hours are read, and none is forgotten, however long background
// work stood still.

// Also of an event that does not parse otherwise: its announcement fails, which an alarm tells.
const Mark = z.object({ sk: z.string(), isNews: z.optional(z.unknown()) });

export const PlaceItem = z.object({ at: z.number() });

/** How news end: by a part of a transaction, which fails if they have ended, or by a write of its own. */
export type End = { part: Part; alone: () => Promise<unknown> };

/** Reads the news of an event, without it if it has expired; undefined if it has been announced. */
export async function find(eventId: string): Promise<{ event?: EventRecord; end: End } | undefined> {
  const event = await events.find(eventId);
  if (!event) return { end: endOfItem(eventId) };
  if (event.isNews) return { event, end: endOfMark(eventId) };
  const item = await getOrThrow(key.news(eventId), z.object({}));
  return item && { event, end: endOfItem(eventId) };
}

/** Takes the mark off an event. */
function endOfMark(eventId: string): End {
  const isMarked = { if: "attribute_exists(isNews)" };
  const unmarked = { isNews: undefined };
  return {
    part: setFields(key.event(eventId), unmarked, isMarked),
    alone: () => setAlone(key.event(eventId), unmarked, isMarked),
  };
}

/**
 * Removes the item that news of the queue are. Functions from before the mark leave one of an event too, also during a
 * deploy.
 */
export function endOfItem(newsId: string): End {
  const news = key.news(newsId);
  return { part: remove(news, { if: "attribute_exists(pk)" }), alone: () => removeAlone(news) };
}

/** Finds the events that are to be announced: docs/architecture.md#background-work. */
export async function findMarked(): Promise<Found> {
  // No request writes a mark on an earlier event any more.
  const at = Date.now() - events.NEWS_MS - SETTLE_MS;
  const place = await getOrThrow(key.newsPlace(), PlaceItem);
  const ids: string[] = [];
  let hasSettled = false;
  for await (const page of pagesOf(range.events({ from: place && firstIdAt(place.at) }), Mark)) {
    ids.push(...page.filter((event) => event.isNews).map(({ sk }) => sk));
    hasSettled ||= page.some(({ sk }) => timeOf(sk) < at);
  }
  return { ids, keepPlace: hasSettled ? () => setAlone(key.newsPlace(), { at }, {}) : undefined };
}
