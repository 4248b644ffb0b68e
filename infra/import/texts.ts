import TurndownService from "turndown";
import { wholeWithin } from "../../lib/values/characters.ts";

const converter = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
converter.remove(["script", "style", "iframe", "noscript", "object", "title"]);
// A link that runs a script is only its text.
converter.addRule("link", {
  filter: (node) => node.nodeName === "A" && !/^(https?|mailto):/i.test(node.getAttribute("href") ?? ""),
  replacement: (content) => content,
});
converter.addRule("picture", {
  filter: (node) => node.nodeName === "IMG" && !/^https?:/i.test(node.getAttribute("src") ?? ""),
  replacement: () => "",
});

// What a rich editor writes begins with a block. A text of Markdown that only mentions a tag stays as it is.
const OF_RICH_EDITOR = /^\s*<(p|div|h[1-6]|ul|ol|blockquote|pre|table|figure|span|br)\b[^>]*>/i;

// The work of the conversion grows faster than the text and the depth of its elements. No editor comes near these.
const LONGEST_HTML = 200_000;
const DEEPEST_HTML = 100;

/** How deep the elements of a text are nested, if each that is opened is closed. */
function depthOf(html: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [tag] of html.matchAll(/<\/?[a-z][^<>]*>/gi)) {
    depth = Math.max(0, depth + (tag.startsWith("</") ? -1 : 1));
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

const VOID_TAGS = /<(br|hr|img|input|wbr)\b[^<>]*>/gi;

/** Markdown of a text: HTML of a rich editor is converted, any other text stays. */
export function markdownOf(text: string): string {
  if (!OF_RICH_EDITOR.test(text)) return text;
  const isPlain = text.length > LONGEST_HTML || depthOf(text.replace(VOID_TAGS, "")) > DEEPEST_HTML;
  return isPlain ? text.replace(/<[^<>]*>/g, " ") : converter.turndown(text);
}

// What no text may have (lib/values/characters.ts); half of a surrogate pair cannot be stored.
const CONTROLS = /(?![\t\n\r])[\p{Cc}\p{Cs}]/gu;

export function withoutControls(text: string): string {
  return text.replace(CONTROLS, "");
}

/** How long the start of a text may be: a number of UTF-16 code units, and of bytes in UTF-8. */
export type Size = { units: number; bytes: number };

/** The length in UTF-16 code units of the longest start of a text that has a size. */
function fitting(text: string, { units, bytes }: Size): number {
  let end = 0;
  let used = 0;
  for (const character of text) {
    used += Buffer.byteLength(character);
    if (used > bytes || end + character.length > units) return end;
    end += character.length;
  }
  return end;
}

/** Cuts a text in two between whole characters, after a line or a word that ends in the second half of what fits. */
export function cut(text: string, size: Size): [start: string, rest: string] {
  // One look at the bytes of most texts is enough.
  const fits = text.length <= size.units && Buffer.byteLength(text) <= size.bytes;
  const end = fits ? text.length : wholeWithin(text, fitting(text, size)).length || fitting(text, size);
  if (end === text.length) return [text, ""];
  const start = text.slice(0, end);
  const places = [start.lastIndexOf("\n"), /\s/.test(text[end] ?? "") ? end : start.search(/\s\S*$/)];
  const place = places.find((each) => each > end / 2) ?? end;
  return [text.slice(0, place).trimEnd(), text.slice(place).trimStart()];
}

/** Cuts a text into a first piece and further ones. */
export function split(text: string, first: Size, further: Size): string[] {
  const [start, rest] = cut(text, first);
  return rest === "" ? [start] : [start, ...split(rest, further, further)];
}
