import { randomBytes } from "node:crypto";
import * as z from "zod";

const RESERVED_URLS = new Set(["get", "search", "sort", "check-slug"]);

/** The url of a board or roadmap: 1 to 50 of `[a-z0-9-]`, not a word of the routes. */
export const Url = z
  .string()
  .regex(/^[a-z0-9-]{1,50}$/, "Must be 1 to 50 characters of a-z, 0-9 and -")
  .refine((url) => !RESERVED_URLS.has(url), "Is a word of the routes");

const MAX_LENGTH = 50;

/** What of a name can stand in a url: `[a-z0-9-]`, accents dropped; empty when nothing is left. */
const readable = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

/** The urls to try for something new, one after another: made from its name, then from its name and random characters. */
export const urlsFor = function* (name: string, fallback: string): Generator<string, never, undefined> {
  const stem = readable(name) || fallback;
  const plain = stem.slice(0, MAX_LENGTH).replace(/-$/, "");
  if (Url.safeParse(plain).success) yield plain;
  for (;;) {
    const tail = randomBytes(4).toString("hex");
    yield `${stem.slice(0, MAX_LENGTH - tail.length - 1).replace(/-$/, "")}-${tail}`;
  }
};

/** A colour for something new: six hex digits. */
export const randomColor = (): string => randomBytes(3).toString("hex");
