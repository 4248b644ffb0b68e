import * as z from "zod/mini";
import type { TableAccess } from "../table/access.ts";
import { key } from "../table/keys.ts";
import { type Part, put } from "../table/parts.ts";
import { type Bounds, range } from "../table/ranges.ts";
import { getFirst, getOrThrow, pagesOf } from "../table/reads.ts";
import { SETTLE_MS } from "../table/settling.ts";
import { EXPIRY_ATTRIBUTE } from "../table/table-shape.ts";
import { firstIdAt, newId, timeOf } from "../values/ids.ts";

// An event is written in the transaction of its change, so it exists exactly if the change was committed. It holds ids,
// never an address or a text, and nothing of notes.

export const eventTypes = [
  "post.created",
  "post.updated",
  "post.status_changed",
  "post.deleted",
  "post.approved",
  "post.merged",
  "post.unmerged",
  "comment.created",
  "comment.updated",
  "comment.deleted",
  "user.created",
  "user.deleted",
  "webhook.disabled",
] as const;

const id = z.optional(z.string());

/** The fields of an event besides its id and type. */
export const eventFields = {
  // The id of the account that did it, or that made the webhook.
  by: z.string(),
  postId: id,
  // The board of the post after the change, or before its deletion.
  boardId: id,
  // The post that it was merged into, or taken out of.
  into: id,
  commentId: id,
  // The account that was created or deleted.
  userId: id,
  webhookId: id,
  // The letters of the statuses before and after a change of the status; absent for `open`.
  from: z.optional(z.string()),
  to: z.optional(z.string()),
  // The changed fields of a post; `response` for the official response.
  changed: z.optional(z.array(z.string())),
};

const mark = z.optional(z.literal(true));

export const EventItem = z.pipe(
  // `quiet`: nobody gets a mail. `isNews`: the event is to be announced (news.ts).
  z.object({ sk: z.string(), type: z.enum(eventTypes), ...eventFields, quiet: mark, isNews: mark }),
  z.transform(({ sk, ...event }) => ({ eventId: sk, ...event })),
);
export type EventRecord = z.output<typeof EventItem>;

/** How many days an event stays. */
export const EVENT_DAYS = 30;

const LIFETIME_SECONDS = EVENT_DAYS * 24 * 60 * 60;

/** When an event and its deliveries expire, in seconds since 1970. */
export function expiryOf(eventId: string): number {
  return Math.ceil(timeOf(eventId) / 1000) + LIFETIME_SECONDS;
}

/** How much older than its writing an event may be that is announced: a text is approved under an older id. */
export const NEWS_MS = 60 * 60 * 1000;

/** The write of an event, for `table` in a definition. */
export const NEW_EVENT = { EVENTS: ["put"] } as const satisfies TableAccess;

/**
 * The part that notes an event for 30 days, and that it is to be announced (`isNews`). The event of a creation has the
 * id of what is created. One that lies in the past, as in the demo set, is not announced.
 */
export function eventParts(event: Omit<EventRecord, "eventId" | "isNews">, eventId = newId()): Record<string, Part> {
  const isNews = timeOf(eventId) > Date.now() - NEWS_MS || undefined;
  return { event: put(key.event(eventId), { ...event, isNews, [EXPIRY_ATTRIBUTE]: expiryOf(eventId) }) };
}

/** All events from a place on (the start of an id), the oldest first, page by page. */
export function pagesFrom(from: string): AsyncGenerator<EventRecord[], void, undefined> {
  return pagesOf(range.events({ from }), EventItem);
}

const MOST_READ = 500;

/**
 * Reads the first events of some types after one of them, oldest first; `last` is the place that was reached. An event
 * is read once it has settled: a request makes its id before it commits.
 */
export async function read(types: ReadonlySet<EventRecord["type"]>, first: number, after?: string) {
  const now = Date.now();
  const oldest = firstIdAt(now - LIFETIME_SECONDS * 1000);
  const before = firstIdAt(now - SETTLE_MS);
  const place = after !== undefined && after > oldest ? { after } : { from: oldest };
  const most = types.size === eventTypes.length ? first + 1 : MOST_READ;
  const { items, more } = await getFirst(range.events({ ...place, before }), EventItem, most);
  const wanted = items.filter(({ type }) => types.has(type));
  const events = wanted.slice(0, first);
  const isCut = wanted.length > first;
  return { events, last: (isCut ? events : items).at(-1)?.eventId ?? after, more: isCut || more };
}

type Found = { items: EventRecord[]; more: boolean };

/** Reads the first events of the last 30 days within bounds of their ids. */
export function first({ from, after, to }: Bounds, count: number): Promise<Found> {
  const oldest = firstIdAt(Date.now() - LIFETIME_SECONDS * 1000);
  const start = after ?? from ?? oldest;
  return getFirst(range.events(start > oldest ? { from, after, to } : { from: oldest, to }), EventItem, count);
}

/**
 * Finds the first events of some types, at most `count`, in what `first` has read and, if that has too few, in the
 * events after it: 500 in all. `next` is the event to continue after; undefined if no event is left.
 */
export async function firstOfTypes(
  types: readonly EventRecord["type"][],
  count: number,
  start: Found,
  to: string | undefined,
): Promise<{ events: EventRecord[]; next: string | undefined }> {
  const isWanted = ({ type }: EventRecord) => types.includes(type);
  const after = start.items.at(-1)?.eventId;
  const isEnough = !start.more || start.items.filter(isWanted).length >= count;
  const rest = isEnough ? { items: [], more: start.more } : await first({ after, to }, MOST_READ - start.items.length);
  const items = [...start.items, ...rest.items];
  const wanted = items.filter(isWanted);
  const events = wanted.slice(0, count);
  if (wanted.length > count) return { events, next: events.at(-1)?.eventId };
  return { events, next: rest.more ? items.at(-1)?.eventId : undefined };
}

/** Finds the latest events of a type, the newest first, among the latest 500 of the last 30 days. */
export async function latest(type: EventRecord["type"], count: number): Promise<EventRecord[]> {
  const from = firstIdAt(Date.now() - LIFETIME_SECONDS * 1000);
  const { items } = await getFirst(range.events({ from }), EventItem, MOST_READ, { descending: true });
  return items.filter((event) => event.type === type).slice(0, count);
}

/** Reads an event; undefined if it has expired. */
export function find(eventId: string): Promise<EventRecord | undefined> {
  return getOrThrow(key.event(eventId), EventItem);
}
