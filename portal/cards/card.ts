import { letterOf } from "../../lib/values/graphemes.ts";
import { escaped } from "../server/escaped.ts";
import { iconOf } from "../server/icon.tsx";
import { runsOf } from "./fonts.ts";
import { linesOf } from "./lines.ts";

// The picture of a shared link, as previews show it: 1200 by 630 pixels.

const WIDTH = 1200;
const HEIGHT = 630;
const MARGIN = 80;

/** What a card says. `votes`, `status`: of a post. `description`: of the site, whose card has its name as title. */
type Said = {
  site: string;
  color: string;
  title: string;
  description?: string | null;
  votes?: string;
  status?: { name: string; color: string };
};

const INK = "#17181c";
const QUIET = "#5a5e69";

// The first letter with a direction decides the direction of a text.
const RIGHT_TO_LEFT = /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** What a text element has; nothing if the fonts lack one of its characters. */
function spansOf(text: string): string {
  const runs = runsOf(text) ?? [];
  return runs.map((run) => `<tspan font-family="${run.family}">${escaped(run.text)}</tspan>`).join("");
}

/** A line of text. One that is read from right to left begins as far from the other side. */
function line(text: string, x: number, y: number, size: number, color: string, isReversed = false): string {
  const place = isReversed ? `x="${WIDTH - x}" text-anchor="end"` : `x="${x}"`;
  return `<text ${place} y="${y}" font-size="${size}" fill="${color}">${spansOf(text)}</text>`;
}

/** The mark of a site, in pixels. */
export function markOf(name: string, color: string, size: number): string {
  return iconOf({ name, color }, size, runsOf(letterOf(name)) ?? []);
}

/** How lines of text look; `height`: from one line to the next. */
type Style = { height: number; size: number; color: string };

const TITLE: Style = { height: 84, size: 68, color: INK };
const DESCRIPTION: Style = { height: 54, size: 38, color: QUIET };

/** Where the first line of a title stands. */
const TOP = 250;

const MOST_OF_TITLE = 3;
const MOST_OF_NAME = 2;
/** Where the name has two lines, the last of these is just above the edge. */
const MOST_OF_DESCRIPTION = 4;

/** A text in lines; none if the fonts lack one of its characters: the preview has it as text. */
function brokenInto(text: string, most: number, { size }: Style): string[] {
  return runsOf(text) ? linesOf(text, (WIDTH - 2 * MARGIN) / size, most) : [];
}

function drawn(lines: string[], y: number, { height, size, color }: Style): string {
  const isReversed = RIGHT_TO_LEFT.test(lines.join(" "));
  return lines.map((each, at) => line(each, MARGIN, y + height * at, size, color, isReversed)).join("\n");
}

/** A title, and below it what a site is for, for which a long name leaves room. */
function wordsOf({ title, description }: Said): string {
  const name = brokenInto(title, description ? MOST_OF_NAME : MOST_OF_TITLE, TITLE);
  const below = brokenInto(description ?? "", MOST_OF_DESCRIPTION, DESCRIPTION);
  return `${drawn(name, TOP, TITLE)}\n${drawn(below, TOP + TITLE.height * name.length, DESCRIPTION)}`;
}

function votesOf(votes: string): string {
  return `<path d="M${MARGIN} 536 l20 -24 l20 24" fill="none" stroke="${INK}" stroke-width="6"/>
${line(votes, MARGIN + 60, 540, 36, INK)}`;
}

function statusOf({ name, color }: { name: string; color: string }): string {
  return `<circle cx="${MARGIN + 320}" cy="527" r="14" fill="#${color}"/>
${line(cutTo(name), MARGIN + 348, 540, 36, INK)}`;
}

/** A name in one line, of a width in sizes of the font. */
function cutTo(name: string, width = 20): string {
  return linesOf(name, width, 1)[0] ?? "";
}

/** The card as SVG, with the texts that are in it. */
export function cardOf(said: Said): string {
  const { site, color, title, votes, status } = said;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-weight="600">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>
<rect y="${HEIGHT - 24}" width="${WIDTH}" height="24" fill="#${color}"/>
<g transform="translate(${MARGIN} 72)">${markOf(site, color, 64)}</g>
${title === site ? "" : line(cutTo(site, 26), MARGIN + 88, 118, 36, QUIET)}
${wordsOf(said)}
${votes === undefined ? "" : votesOf(votes)}
${status === undefined ? "" : statusOf(status)}
</svg>`;
}
