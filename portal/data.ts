import { effect, type Signal, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Api, Failure, token } from "./api.ts";

// What pages read. The server reads it before it renders, and sends it with the page; the browser reads the rest.

/** One thing that was read: what is known of it, and why reading it failed. */
export type Read<T> = { data?: T; failure?: Failure };

type Load = (api: Api) => Promise<unknown>;

/** A thing, with the session for which it was read, when, and how many parts of the page show it. */
type Entry = { read: Signal<Read<unknown>>; session: string | undefined; at: number; load?: Load; shown: number };

let api: Api;
let entries = new Map<string, Entry>();
let wanted: Map<string, Load> | undefined;

/** Begins with what the server has read. */
export function begin(client: Api, known: Record<string, unknown> = {}): void {
  api = client;
  const at = Date.now();
  entries = new Map(
    Object.entries(known).map(([key, data]) => [key, { read: signal({ data }), session: undefined, at, shown: 0 }]),
  );
}

function entryOf(key: string): Entry {
  const entry = entries.get(key) ?? { read: signal<Read<unknown>>({}), session: undefined, at: 0, shown: 0 };
  entries.set(key, entry);
  return entry;
}

/** In place of a time: a change came after the last reading. */
const CHANGED = 0;

/** Reads a thing again; what was known stays until the answer is there. */
async function reload(key: string, load: Load): Promise<void> {
  const entry = entryOf(key);
  const at = Date.now();
  const known = entry.session === undefined || entry.session === token.value ? entry.read.peek() : {};
  Object.assign(entry, { session: token.value, at });
  const read = await load(api).then(
    (data) => ({ data }),
    (error: unknown) => ({
      ...known,
      failure: error instanceof Failure ? error : new Failure(0, "", String(error)),
    }),
  );
  // What was read is older than a change that the page shows.
  if (entry.at === CHANGED) await reload(key, load);
  // Only a difference renders again: each of many comments shows what was read.
  else if (entry.at === at && JSON.stringify(read) !== JSON.stringify(entry.read.peek())) entry.read.value = read;
}

/** Reads again what the page shows. */
export function reloadShown(): void {
  for (const [key, { load, shown }] of entries) if (load && shown > 0) void reload(key, load);
}

/** How much is remembered beyond what the page shows. */
const KEPT = 100;

function forgetOldest(): void {
  for (const [key, { shown }] of entries) {
    if (entries.size <= KEPT) return;
    if (shown === 0) entries.delete(key);
  }
}

/** Changes everything that was read, where the change finds something; undefined makes it unknown. */
export function change(how: (data: unknown, key: string) => unknown): void {
  for (const [key, entry] of entries) {
    const { data } = entry.read.peek();
    const changed = data === undefined ? data : how(data, key);
    if (data !== undefined && changed === data) continue;
    // Also of what is still read: the answer may be older than the change.
    entry.at = CHANGED;
    if (JSON.stringify(changed) === JSON.stringify(data)) continue;
    entry.read.value = changed === undefined ? {} : { data: changed };
  }
}

const FRESH_MS = 5000;

/** Reads what a page shows: once for each session, and again when a page is opened later. */
export function useRead<T>(key: string, load: (api: Api) => Promise<T>): Read<T> & { again: () => Promise<void> } {
  const entry = entryOf(key);
  wanted?.set(key, load);
  useEffect(() => {
    Object.assign(entry, { load, shown: entry.shown + 1 });
    // The youngest again.
    entries.delete(key);
    entries.set(key, entry);
    const stop = effect(() => {
      const isFresh = entry.session === token.value && Date.now() - entry.at < FRESH_MS;
      if (!isFresh) void reload(key, load);
    });
    return () => {
      stop();
      entry.shown--;
      forgetOldest();
    };
  }, [key]);
  return { ...(entry.read as Signal<Read<T>>).value, again: () => reload(key, load) };
}

/**
 * Renders until nothing is left to read. Returns the last rendering and what was read. Only one at a time renders,
 * since rendering itself does not wait.
 */
export async function renderWith(
  client: Api,
  render: () => string,
): Promise<{ html: string; known: Record<string, unknown>; failures: Failure[] }> {
  const known: Record<string, unknown> = {};
  const failures: Failure[] = [];
  const tried = new Set<string>();
  for (;;) {
    begin(client, known);
    wanted = new Map();
    const html = render();
    const missing = [...wanted].filter(([key]) => !tried.has(key));
    wanted = undefined;
    if (missing.length === 0) return { html, known, failures };
    await Promise.all(
      missing.map(async ([key, load]) => {
        tried.add(key);
        try {
          known[key] = await load(client);
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          failures.push(error);
        }
      }),
    );
  }
}
