import { randomBytes } from "node:crypto";
import * as z from "zod/mini";
import { latinLetters } from "./text.ts";

// Words of the routes.
const RESERVED_URLS = new Set(["get", "search", "sort", "check-slug"]);

function urlOf(pattern: RegExp, characters: string) {
  return z.string().check(
    z.regex(pattern, `Must be 1 to 50 characters of ${characters}`),
    z.refine((url) => !RESERVED_URLS.has(url), "Must not be a reserved word"),
  );
}

export const RoadmapUrl = urlOf(/^[a-z0-9-]{1,50}$/, "a-z, 0-9 and -");
export const BoardUrl = urlOf(/^[a-z0-9_-]{1,50}$/, "a-z, 0-9, _ and -");

const MAX_LENGTH = 50;

function readable(name: string): string {
  return latinLetters(name)
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

/** A url to try for a new board or roadmap: its name, from the second attempt on its name with random characters. */
export function urlFor(name: string, fallback: string, attempt: number): string {
  const stem = readable(name) || fallback;
  const plain = stem.slice(0, MAX_LENGTH).replace(/-$/, "");
  if (attempt === 0 && RoadmapUrl.safeParse(plain).success) return plain;
  const tail = randomBytes(4).toString("hex");
  return `${stem.slice(0, MAX_LENGTH - tail.length - 1).replace(/-$/, "")}-${tail}`;
}

export function randomColor(): string {
  return randomBytes(3).toString("hex");
}
