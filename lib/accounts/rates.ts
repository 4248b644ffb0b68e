import { createHash } from "node:crypto";
import { setAlone } from "../table/changes.ts";
import { type Key, key } from "../table/keys.ts";
import { adding, type Part, update } from "../table/parts.ts";
import { updateAlone } from "../table/single-writes.ts";
import { EXPIRY_ATTRIBUTE } from "../table/table-shape.ts";

/**
 * At most `hits` within `seconds`; a call counts `by` hits, 1 by default. `of`: what is counted, such as posts, where a
 * subject has several windows of one length.
 */
export type Window = { hits: number; seconds: number; of?: string; by?: number };

/** The windows of a subject; the length of each divides the longest. */
export type Count = { subject: string; windows: readonly Window[] };

/** The subject of a count, hashed: keys stay short and contain no address. */
export function subjectOf(name: string, ...parts: string[]): string {
  return `${name}:${createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 32)}`;
}

// All windows of a subject are attributes of one item, which lives as long as the longest. So a hit is one conditional
// update: it counts in each window or, if one of them is full, in none.

type Running = { attribute: string; hits: number; by: number; end: number };

/** The windows at a moment, which begin at multiples of their length, and their item. */
function runningAt({ subject, windows }: Count, now: number): { item: Key; end: number; running: Running[] } {
  const longest = Math.max(...windows.map(({ seconds }) => seconds));
  const start = Math.floor(now / 1000 / longest) * longest;
  const running = windows.map(({ hits, seconds, of = "", by = 1 }) => {
    const number = Math.floor((now / 1000 - start) / seconds);
    return {
      attribute: `${of}${seconds === longest ? "hits" : `${seconds}:${number}`}`,
      hits,
      by,
      end: start + (number + 1) * seconds,
    };
  });
  return { item: key.rate(subject, `${longest}-${start / longest}`), end: start + longest, running };
}

function hitting({ item, end, running }: ReturnType<typeof runningAt>): Parameters<typeof update> {
  const { expression, names, values } = adding(running.map(({ attribute, by }) => [attribute, by]));
  const rooms = Object.fromEntries(running.map(({ hits, by }, at) => [`:room${at}`, hits - by]));
  const condition = {
    if: running.map((_, at) => `(attribute_not_exists(#n${at}) OR #n${at} <= :room${at})`).join(" AND "),
    names: { ...names, "#expiry": EXPIRY_ATTRIBUTE },
    values: { ...values, ...rooms, ":end": end },
  };
  return [item, `${expression} SET #expiry = :end`, condition];
}

/** Counts one hit, exactly. Returns undefined while hits are left, else seconds until all full windows have ended. */
export async function hit(count: Count, now = Date.now()): Promise<number | undefined> {
  const at = runningAt(count, now);
  const outcome = await updateAlone(...hitting(at));
  if (outcome.done) return undefined;
  const ends = at.running
    .filter(({ attribute, hits, by }) => (outcome.numbers[attribute] ?? 0) > hits - by)
    .map((full) => full.end);
  return Math.max(1, Math.ceil(Math.max(...ends, 0) - now / 1000));
}

/** Takes out of a count what it has counted at `now` (ms since 1970). */
export async function uncount(count: Count, now: number): Promise<void> {
  const { item, running } = runningAt(count, now);
  const { expression, ...counted } = adding(running.map(({ attribute, by }) => [attribute, -by]));
  await updateAlone(item, expression, counted);
}

/** Part: counts hits. Its condition fails if a window is full. */
export function hitPart(count: Count): Part {
  return update(...hitting(runningAt(count, Date.now())));
}

/**
 * Takes a hit out again that proved harmless, in a count of one window. Unlike `uncount` it changes no full window:
 * that one may have refused the hit, and did not count it then.
 */
export async function forgive(count: Count): Promise<void> {
  const { item, running } = runningAt(count, Date.now());
  await updateAlone(item, "ADD #hits :back", {
    if: "#hits > :none AND #hits < :limit",
    names: { "#hits": "hits" },
    values: { ":back": -1, ":none": 0, ":limit": running[0]?.hits },
  });
}

/** Remembers a subject for some seconds. */
export async function remember(subject: string, seconds: number): Promise<void> {
  await setAlone(key.rate(subject, "mark"), { [EXPIRY_ATTRIBUTE]: Math.ceil(Date.now() / 1000) + seconds }, {});
}

/** Whether a subject is remembered. An update that changes nothing asks, so that the right to count is enough. */
export async function isRemembered(subject: string, now = Date.now()): Promise<boolean> {
  const outcome = await updateAlone(key.rate(subject, "mark"), "ADD #hits :none", {
    if: "#expiry > :now",
    names: { "#hits": "hits", "#expiry": EXPIRY_ATTRIBUTE },
    values: { ":none": 0, ":now": Math.floor(now / 1000) },
  });
  return outcome.done;
}
