import { readFileSync } from "node:fs";
import { graphemesOf } from "../../lib/values/graphemes.ts";
import { type Family, FONTS } from "./files.ts";

// The fonts of cards. Each is read when a text needs it.

type Font = { bytes: Uint8Array; has: (codePoint: number) => boolean };

const loaded = new Map<Family, Font>();

function fontOf(family: Family): Font {
  const known = loaded.get(family);
  if (known) return known;
  const bytes = readFileSync(new URL(`./${FONTS[family].file}`, import.meta.url));
  const font = { bytes, has: charactersOf(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)) };
  loaded.set(family, font);
  return font;
}

/** Which characters a font has: its table `cmap`, whose subtables of format 4 and 12 name ranges (OpenType 1.9). */
function charactersOf(font: DataView): (codePoint: number) => boolean {
  const cmap = offsetOf(font, "cmap");
  const ranges: [first: number, last: number][] = [];
  for (let table = 0; table < font.getUint16(cmap + 2); table++) {
    const at = cmap + font.getUint32(cmap + 8 + 8 * table);
    const format = font.getUint16(at);
    if (format === 12) ranges.push(...groupsOf(font, at));
    if (format === 4) ranges.push(...segmentsOf(font, at));
  }
  return (codePoint) => ranges.some(([first, last]) => codePoint >= first && codePoint <= last);
}

function offsetOf(font: DataView, name: string): number {
  for (let table = 0; table < font.getUint16(4); table++) {
    const at = 12 + 16 * table;
    const tag = [0, 1, 2, 3].map((byte) => String.fromCharCode(font.getUint8(at + byte))).join("");
    if (tag === name) return font.getUint32(at + 8);
  }
  throw new Error(`The font has no table ${name}`);
}

function groupsOf(font: DataView, at: number): [number, number][] {
  return Array.from({ length: font.getUint32(at + 12) }, (_, group) => {
    const start = at + 16 + 12 * group;
    return [font.getUint32(start), font.getUint32(start + 4)];
  });
}

function segmentsOf(font: DataView, at: number): [number, number][] {
  // Twice the number of segments. The ends of all come first, then two bytes, then the beginnings of all.
  const twice = font.getUint16(at + 6);
  return Array.from({ length: twice / 2 }, (_, segment) => {
    const end = at + 14 + 2 * segment;
    return [font.getUint16(end + twice + 2), font.getUint16(end)];
  });
}

// They choose how their neighbours look, and have no look of their own.
const UNSEEN = /^[\p{Cf}\p{Variation_Selector}\s]$/u;

/** A part of a text, in one font. */
export type Run = { family: Family; text: string };

/** The renderer draws no line with an emoji of several characters: a family becomes a woman, each flag a white one. */
function withoutSequences(text: string): string {
  const simple = graphemesOf(text).map((each) => {
    if (/\p{Regional_Indicator}/u.test(each)) return "🏳";
    return /^\p{Extended_Pictographic}/u.test(each) ? String.fromCodePoint(each.codePointAt(0) ?? 0) : each;
  });
  return simple.join("");
}

/** A text in parts, each in the font that has its characters; undefined if no font has one of them. */
export function runsOf(text: string): Run[] | undefined {
  const runs: Run[] = [];
  for (const character of withoutSequences(text)) {
    const family = familyFor(character, runs.at(-1)?.family ?? "Noto Sans");
    if (family === undefined) return undefined;
    const last = runs.at(-1);
    if (last?.family === family) last.text += character;
    else runs.push({ family, text: character });
  }
  return runs;
}

function familyFor(character: string, before: Family): Family | undefined {
  if (UNSEEN.test(character)) return before;
  const codePoint = character.codePointAt(0) ?? 0;
  return (Object.keys(FONTS) as Family[]).find((family) => fontOf(family).has(codePoint));
}

/** The fonts of texts that a picture has. */
export function fontsOf(texts: string[]): Uint8Array[] {
  const families = texts.flatMap((text) => runsOf(text) ?? []).map(({ family }) => family);
  return [...new Set(families)].map((family) => fontOf(family).bytes);
}
