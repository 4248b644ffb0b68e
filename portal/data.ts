import { type Signal, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Api, Failure, untilAnswered } from "./api.ts";
import { accountIdOf, token } from "./session.ts";
import { textOf } from "./text.ts";

// What pages read. The server reads it before it renders, and sends it with the page; the browser reads the rest.

/** One thing to read, such as the comments on one post. `isForAll`: everybody reads the same of it. */
export type Query<T> = { key: string; load: (api: Api) => Promise<T>; isForAll?: boolean };

/** A kind of things that pages read, such as the comments on posts. Its arguments name one of them. */
export type Kind<T, Args extends unknown[]> = ((...args: Args) => Query<T>) & { kind: string };

/** Arguments that are left out, and those that are undefined, name the same thing. */
function keyOf(kind: string, args: unknown[]): string {
  const named = args.slice(0, args.findLastIndex((each) => each !== undefined) + 1);
  return JSON.stringify([kind, ...named]);
}

export function define<T, Args extends unknown[]>(
  kind: string,
  load: (api: Api, ...args: Args) => Promise<T>,
  isForAll = false,
): Kind<T, Args> {
  const query = (...args: Args) => ({
    key: keyOf(kind, args),
    load: (api: Api) => load(api, ...args),
    isForAll,
  });
  return Object.assign(query, { kind });
}

/** What is known of a thing, and why reading it failed. */
export type Read<T> = { data?: T; failure?: Failure };

type Entry = {
  kind: string;
  args: unknown[];
  read: Signal<Read<unknown>>;
  /** The session for which it was read; undefined for what the server has read, and for a visitor. */
  session: string | undefined;
  /** When the last reading began, in milliseconds since 1970. */
  at: number;
  /** How many readings have begun. Only the last one counts: a later one knows more. */
  readings: number;
  /**
   * Whether a change came after the last reading began. If that is still under way, it begins again when it ends; else
   * the next page that shows the thing reads it.
   */
  isStale: boolean;
  /** How many parts of the page show it. */
  shown: number;
  load?: (api: Api) => Promise<unknown>;
};

let api: Api;
let entries = new Map<string, Entry>();
let wanted: Map<string, Query<unknown>> | undefined;

function newEntry(key: string, read: Read<unknown> = {}, at = 0): Entry {
  const [kind, ...args] = JSON.parse(key);
  return { kind, args, read: signal(read), session: undefined, at, readings: 0, isStale: false, shown: 0 };
}

/** What the server has read, by key, as it stands in the page. */
export type Known = Record<string, { data?: unknown; failure?: { status: number; code: string } }>;

/** Begins with what the server has read. */
export function begin(client: Api, known: Known = {}): void {
  api = client;
  entries = new Map(Object.entries(known).map(([key, read]) => [key, knownEntry(key, read)]));
}

function knownEntry(key: string, { data, failure }: Known[string]): Entry {
  const read = failure ? { failure: new Failure(failure.status, failure.code, textOf(failure.code, "")) } : { data };
  return newEntry(key, read, Date.now());
}

function entryOf(key: string): Entry {
  const entry = entries.get(key) ?? newEntry(key);
  entries.set(key, entry);
  return entry;
}

/** What is known of a thing to the session: nothing of what another one has read. `useRead` may still show that. */
function knownOf({ session, read }: Entry): Read<unknown> {
  return session === undefined || session === token.value ? read.peek() : {};
}

/** Reads a thing until no change has come meanwhile; undefined if a later reading has begun. */
async function readUntilCurrent(
  entry: Entry,
  load: (api: Api) => Promise<unknown>,
): Promise<Read<unknown> | undefined> {
  const known = knownOf(entry);
  for (;;) {
    const reading = entry.readings + 1;
    Object.assign(entry, { session: token.value, at: Date.now(), readings: reading, isStale: false });
    const read = await untilAnswered(() => load(api)).then(
      (data) => ({ data }),
      (error: unknown) => ({ ...known, failure: asFailure(error) }),
    );
    if (entry.readings !== reading) return undefined;
    // A change came meanwhile: what was read may be older than it.
    if (!entry.isStale) return read;
  }
}

/** Reads a thing again; what was known stays until the answer is there. */
async function reload({ key, load }: Query<unknown>): Promise<void> {
  const entry = entryOf(key);
  const read = await readUntilCurrent(entry, load);
  if (read) set(entry, read);
}

/** Only a difference renders again: each of many comments shows what was read. */
function set({ read: current }: Entry, read: Read<unknown>): void {
  if (JSON.stringify(read) !== JSON.stringify(current.peek())) current.value = read;
}

function asFailure(error: unknown): Failure {
  return error instanceof Failure ? error : new Failure(0, "", String(error));
}

/** Reads again what the page shows. */
export function reloadShown(): void {
  for (const [key, { load, shown }] of entries) if (load && shown > 0) void reload({ key, load });
}

/** How many things are remembered, with what the page shows. */
const KEPT = 100;

function forgetOldest(): void {
  for (const [key, { shown }] of entries) {
    if (entries.size <= KEPT) return;
    if (shown === 0) entries.delete(key);
  }
}

/**
 * Changes what was read of a kind, where `how` returns another object; undefined makes it unknown. What the page shows
 * is not read again before a page is opened: it shows the change already.
 */
export function change<T, Args extends unknown[]>(
  { kind }: Kind<T, Args>,
  how: (data: T, ...args: Args) => T | undefined,
): void {
  for (const entry of entries.values()) {
    if (entry.kind !== kind) continue;
    const { data } = entry.read.peek();
    // Nothing is known yet of what is still being read, but its answer may be older than the change.
    if (data === undefined) {
      entry.isStale = true;
      continue;
    }
    const changed = how(data as T, ...(entry.args as Args));
    if (changed === data) continue;
    entry.isStale = true;
    set(entry, changed === undefined ? {} : { data: changed });
  }
}

/** Finds something in what the person who is signed in has read of a kind. */
export function find<T, Args extends unknown[], Found>(
  { kind }: Kind<T, Args>,
  how: (data: T, ...args: Args) => Found | undefined,
): Found | undefined {
  for (const entry of entries.values()) {
    const { data } = entry.kind === kind ? knownOf(entry) : {};
    const found = data === undefined ? undefined : how(data as T, ...(entry.args as Args));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Shows a thing that the page knows already, before it is read. */
export function put<T>({ key }: Query<T>, data: T): void {
  entryOf(key).read.value = { data };
}

// What was read, or began to be read, so recently is not read again: by the server, or for another part of the page.
const FRESH_MS = 5000;

/**
 * Reads what a page shows: once for each session, unless the server has just read it for everybody or for a visitor,
 * and again when a page is opened later. What another account has read is unknown until then.
 */
export function useRead<T>(query: Query<T>): Read<T> & { isOfAnother: boolean; again: () => Promise<void> } {
  const { key, load, isForAll } = query;
  const entry = entryOf(key);
  const session = token.value;
  // A visitor still sees what the session saw that has just ended, until it is read anew: an open form stays.
  const isOfAnother = !isForAll && !!session && !!entry.session && accountIdOf(entry.session) !== accountIdOf(session);
  wanted?.set(key, query);
  useEffect(() => {
    Object.assign(entry, { load, shown: entry.shown + 1 });
    // Now the most recently shown.
    entries.delete(key);
    entries.set(key, entry);
    return () => {
      entry.shown--;
      forgetOldest();
    };
  }, [key]);
  useEffect(() => {
    const isFresh = (isForAll || entry.session === session) && !entry.isStale && Date.now() - entry.at < FRESH_MS;
    // Forgotten, because the same answer to this account would not be shown as a change.
    if (isOfAnother) set(entry, {});
    if (!isFresh) void reload(query);
  }, [key, session]);
  const read = (entry.read as Signal<Read<T>>).value;
  return { ...(isOfAnother ? {} : read), isOfAnother, again: () => reload(query) };
}

/**
 * Renders until nothing is left to read. Returns the last rendering, with what was read and what could not be. Only one
 * at a time renders, since rendering itself does not wait; `speak` sets its language again, after others have rendered.
 */
export async function renderWith(
  client: Api,
  speak: () => void,
  render: () => string,
): Promise<{ html: string; known: Known }> {
  const known: Known = {};
  for (;;) {
    speak();
    begin(client, known);
    wanted = new Map();
    const html = render();
    const missing = [...wanted.values()].filter(({ key }) => !(key in known));
    wanted = undefined;
    if (missing.length === 0) return { html, known };
    const reads = missing.map(async ({ key, load }) => {
      const read = await load(client).then((data) => ({ data }), asKnownFailure);
      return [key, read] as const;
    });
    // In the order of the page, not of the answers: the same page is the same text.
    Object.assign(known, Object.fromEntries(await Promise.all(reads)));
  }
}

function asKnownFailure(error: unknown): Known[string] {
  if (!(error instanceof Failure)) throw error;
  const { status, code } = error;
  // A server is not offline: what it calls is.
  return { failure: { status, code: code === "OFFLINE" ? "SERVER_ERROR" : code } };
}
