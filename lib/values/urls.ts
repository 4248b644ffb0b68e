import { randomBytes } from "node:crypto";
import * as z from "zod/mini";

const RESERVED_URLS = new Set(["get", "search", "sort", "check-slug"]);

function isNoRoute(url: string): boolean {
  return !RESERVED_URLS.has(url);
}

/** The url of a roadmap: 1 to 50 of `[a-z0-9-]`, and no word that a route uses. */
export const RoadmapUrl = z
  .string()
  .check(
    z.regex(/^[a-z0-9-]{1,50}$/, "Must be 1 to 50 characters of a-z, 0-9 and -"),
    z.refine(isNoRoute, "Is a word of the routes"),
  );

/** The url of a board: like that of a roadmap, and may have underscores. */
export const BoardUrl = z
  .string()
  .check(
    z.regex(/^[a-z0-9_-]{1,50}$/, "Must be 1 to 50 characters of a-z, 0-9, _ and -"),
    z.refine(isNoRoute, "Is a word of the routes"),
  );

const MAX_LENGTH = 50;

/** A name as a url: `[a-z0-9-]`, without accents; may be empty. */
function readable(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

/** Urls to try for a new board or roadmap: its name, then its name with random characters, without end. */
export function* urlsFor(name: string, fallback: string): Generator<string, never, undefined> {
  const stem = readable(name) || fallback;
  const plain = stem.slice(0, MAX_LENGTH).replace(/-$/, "");
  if (RoadmapUrl.safeParse(plain).success) yield plain;
  for (;;) {
    const tail = randomBytes(4).toString("hex");
    yield `${stem.slice(0, MAX_LENGTH - tail.length - 1).replace(/-$/, "")}-${tail}`;
  }
}

/** A random colour: six hex digits. */
export function randomColor(): string {
  return randomBytes(3).toString("hex");
}
