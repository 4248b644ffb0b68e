import { letterOf } from "../graphemes.ts";
import { escaped } from "../server/escaped.ts";
import { iconOf } from "../server/icon.tsx";
import { runsOf } from "./fonts.ts";
import { linesOf } from "./lines.ts";

// The picture of a shared link, as previews show it: 1200 by 630 pixels.

const WIDTH = 1200;
const HEIGHT = 630;
const MARGIN = 80;

/** What a card says. `votes`, `status`: of a post. */
type Said = {
  site: string;
  color: string;
  title: string;
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

const TITLE_SIZE = 68;
const LINE_HEIGHT = 84;

/** The lines of a title; none if the fonts lack one of its characters: the preview has it as text. */
function titleLines(title: string): string {
  if (!runsOf(title)) return "";
  const isReversed = RIGHT_TO_LEFT.test(title);
  const lines = linesOf(title, (WIDTH - 2 * MARGIN) / TITLE_SIZE, 3);
  return lines.map((each, at) => line(each, MARGIN, 250 + LINE_HEIGHT * at, TITLE_SIZE, INK, isReversed)).join("\n");
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
export function cardOf({ site, color, title, votes, status }: Said): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-weight="600">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>
<rect y="${HEIGHT - 24}" width="${WIDTH}" height="24" fill="#${color}"/>
<g transform="translate(${MARGIN} 72)">${markOf(site, color, 64)}</g>
${line(cutTo(site, 26), MARGIN + 88, 118, 36, QUIET)}
${titleLines(title)}
${votes === undefined ? "" : votesOf(votes)}
${status === undefined ? "" : statusOf(status)}
</svg>`;
}
