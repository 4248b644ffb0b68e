import { graphemesOf } from "../../lib/values/graphemes.ts";

// SVG breaks no lines, so this does. Widths are estimates that are rather too large.

/** The width of a character in parts of the size of the font. */
function widthOf(character: string): number {
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Extended_Pictographic}。、！？]/u.test(character))
    return 1;
  if (/[MWmw@%—…]/.test(character)) return 0.98;
  if (/[\p{Lu}\p{N}]/u.test(character)) return 0.7;
  return /[iljtfrI.,;:'|!()[\] ]/.test(character) ? 0.42 : 0.62;
}

function lengthOf(text: string): number {
  return graphemesOf(text).reduce((sum, each) => sum + widthOf(each), 0);
}

/** The parts of a text between which a line may end: words, and each character of scripts without spaces. */
function partsOf(text: string): string[] {
  return (
    text.match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|\s+|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu,
    ) ?? []
  );
}

/** The beginning of a text that is as wide as a line. */
function cut(text: string, width: number): string {
  let room = width;
  const kept: string[] = [];
  for (const each of graphemesOf(text)) {
    room -= widthOf(each);
    if (room < 0) break;
    kept.push(each);
  }
  return kept.join("");
}

/** Breaks a text into lines of a width, in sizes of the font; the last line of too many ends with "…". */
export function linesOf(text: string, width: number, most: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const part of partsOf(text.trim().replace(/\s+/g, " "))) {
    const isFull = lengthOf(line + part) > width;
    if (isFull && line !== "") {
      lines.push(line.trim());
      line = "";
    }
    line += line === "" ? part.trimStart() : part;
    // A word that is wider than a line.
    while (lengthOf(line) > width) {
      const piece = cut(line, width);
      lines.push(piece);
      line = line.slice(piece.length);
    }
    if (lines.length > most) break;
  }
  if (line.trim() !== "") lines.push(line.trim());
  if (lines.length <= most) return lines;
  const last = lines[most - 1] ?? "";
  return [...lines.slice(0, most - 1), `${cut(last, width - 1).trimEnd()}…`];
}
