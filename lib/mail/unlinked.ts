import { shortened } from "../values/characters.ts";

// Mail programs make a link of each address in a text. In our mail a stranger's name or comment must not become one.

/** Joins letters without being seen, so that no program takes what it joins for an address. */
const JOINER = "\u2060";

/** What a mail program may take for a web or mail address: a scheme, `www.`, an `@`, or like `a.example`. */
const ADDRESS = /\w:\/\/|www\.|\S@\S|[\p{L}\p{N}]\.\p{L}{2,}/iu;

/** The parts of a text, such as its bold words, so that no mail program makes a link across them. Nobody sees it. */
export function unlinkedParts(parts: string[]): string[] {
  if (!ADDRESS.test(parts.join(""))) return parts;
  return parts.map((part) => part.replace(/[.:@/](?!\s)/g, `$&${JOINER}`));
}

/** A text whose addresses no mail program makes links of. It looks the same. */
export function unlinked(text: string): string {
  return text.replace(/\S+/g, (run) => unlinkedParts([run]).join(""));
}

/** The most characters of a line, such as a title. */
export const LINE_LENGTH = 80;

/** The beginning of a text, without links. */
export function lineOf(text: string): string {
  return unlinked(shortened(text, LINE_LENGTH));
}
