import MarkdownIt from "markdown-it";
import { graphemesOf, wholeWithin } from "../lib/values/graphemes.ts";
import { links } from "./markdown-links.ts";

// Two locks on one door, on the server and in browsers alike: markdown-it lets no HTML through, and what it makes is
// rendered only if it has no tags and attributes but these. The pages' policy, without foreign scripts, is a third.

type Token = ReturnType<InstanceType<typeof MarkdownIt>["parse"]>[number];

const TAGS = new Set("p br strong em s code pre blockquote ul ol li a h2 h3 h4 h5 h6 hr".split(" "));
const ATTRIBUTES = new Set(["href", "rel", "start"]);

// Tables and references repeat a few letters a thousand times: one comment could make a page too large for everybody.
const markdown = new MarkdownIt("default", { html: false, breaks: true, linkify: true }).disable(
  ["table", "reference"],
  true,
);
// What is nested more deeply is left out.
const MOST_NESTED = 100;
markdown.set({ maxNesting: MOST_NESTED });
markdown.linkify = links as unknown as typeof markdown.linkify;
// Browsers encode addresses by themselves.
markdown.normalizeLink = (url) => url;
markdown.normalizeLinkText = (text) => text;
// Of the web, of mail, or of this site.
markdown.validateLink = (url) => /^(https?:\/\/|mailto:|[/?#]|[^:]*$)/i.test(url);

/** A row of a table as a sentence reads: `| Plan | Price |` as `Plan · Price`. */
function rowAsText(row: string): string {
  const cells = row
    .trim()
    .replace(/^\||\|$/g, "")
    .trim();
  return cells.replace(/\\?\|/g, (bar) => (bar === "|" ? "·" : "|"));
}

/** The lines of a table without its marks; other text stays as it is. */
function tableAsText(text: string): string {
  const [head = "", below = "", ...rows] = text.split("\n");
  const isTable = head.includes("|") && below.includes("-") && /^[ :|-]+$/.test(below);
  return isTable ? [head, ...rows].map(rowAsText).join("\n") : text;
}

markdown.core.ruler.before("inline", "tables", ({ tokens }) => {
  for (const token of tokens) if (token.type === "inline") token.content = tableAsText(token.content);
});

const { escapeHtml } = markdown.utils;
const { rules } = markdown.renderer;

// Search engines do not count the links of people, so that spam brings nothing.
const REL = 'rel="nofollow ugc"';
rules.link_open = (tokens, at, options, _, renderer) => {
  tokens[at]?.attrSet("rel", "nofollow ugc");
  return renderer.renderToken(tokens, at, options);
};

function isInLink(tokens: Token[], at: number): boolean {
  for (let before = at - 1; before >= 0; before--) {
    const type = tokens[before]?.type;
    if (type === "link_open" || type === "link_close") return type === "link_open";
  }
  return false;
}

/** A picture is a link to it: a page that showed it would tell its host who reads. */
rules.image = (tokens, at) => {
  const token = tokens[at] as Token;
  const url = String(token.attrGet("src") ?? "");
  const name = escapeHtml(token.content || url);
  return isInLink(tokens, at) ? name : `<a href="${escapeHtml(url)}" ${REL}>${name}</a>`;
};

// Code is wider than a page. The keyboard scrolls what it can reach.
rules.fence = (tokens, at) => `<pre tabindex="0"><code>${escapeHtml(tokens[at]?.content ?? "")}</code></pre>\n`;
rules.code_block = rules.fence;

/** The page's own heading, below which a text stands. */
const ABOVE = 1;
const LOWEST = 6;

/**
 * Gives headings the levels that follow the one above the text, without a gap: the first is one below that, and each
 * further one is one below the heading to whose part it belongs, whatever was typed.
 */
function rankHeadings(tokens: Token[], above: number): void {
  // As typed: the headings to whose parts a token belongs.
  let outer: string[] = [];
  for (const token of tokens) {
    const { type, tag } = token;
    if (type === "heading_open") outer = [...outer.filter((each) => each < tag), tag];
    if (type.startsWith("heading")) token.tag = `h${Math.min(LOWEST, above + outer.length)}`;
  }
}

const BOXES: Record<string, string> = { "[ ] ": "☐ ", "[x] ": "☑ ", "[X] ": "☑ " };

/** A task in a list begins with a box, which stands in the bullet's place. */
function drawBox(token: Token, at: number, tokens: Token[]): void {
  const text = token.children?.[0];
  const box = BOXES[token.content.slice(0, 4)];
  const item = tokens[at - 2];
  if (!box || text?.type !== "text" || item?.type !== "list_item_open") return;
  text.content = box + text.content.slice(4);
  item.attrSet("class", "task");
}

function isKnown(token: Token): boolean {
  // A picture becomes a link above.
  if (token.type === "image") return true;
  token.attrs = token.attrs?.filter(([name]) => ATTRIBUTES.has(name)) ?? null;
  return (token.tag === "" || TAGS.has(token.tag)) && (token.children ?? []).every(isKnown);
}

function isWhole(tokens: Token[]): boolean {
  return tokens.every(({ nesting, level }) => nesting !== 1 || level + 1 < MOST_NESTED);
}

/** The parts of a text; undefined if it has any that are not known, or that were left out. */
function parse(text: string, above = ABOVE): Token[] | undefined {
  const tokens = markdown.parse(text, {});
  rankHeadings(tokens, above);
  if (!tokens.every(isKnown) || !isWhole(tokens)) return undefined;
  tokens.forEach(drawBox);
  return tokens;
}

/** A text may become this many times as long, in bytes. Ordinary ones become less than three times as long. */
const MOST_GROWTH = 6;

/** Short texts may grow more: their tags are longer than they are. */
const SMALL_BYTES = 1000;

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The text as it was typed. */
function plainHtmlOf(text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<p>${escaped.replace(/\r\n?|\n/g, "<br>")}</p>\n`;
}

/**
 * The HTML of a text in Markdown, safe in a page, at most six times as long. A text that would grow more, or with a
 * hundred nested quotes, is shown as it was typed. `above`: the level of the heading that it stands below.
 */
export function htmlOf(text: string, above = ABOVE): string {
  const tokens = parse(text, above);
  if (!tokens) return plainHtmlOf(text);
  const rendered = markdown.renderer.render(tokens, markdown.options, {});
  const isSmall = bytesOf(rendered) <= Math.max(SMALL_BYTES, MOST_GROWTH * bytesOf(text));
  return isSmall ? rendered : plainHtmlOf(text);
}

/** What a reader sees of a part of a text. */
function wordsOf(token: Token): string {
  if (token.type === "softbreak" || token.type === "hardbreak") return " ";
  if (token.children && token.type !== "image") return token.children.map(wordsOf).join("");
  return token.content;
}

/** More of a text than an excerpt shows. */
const BEGINNING = 2000;
const EXCERPT = 280;

/** The beginning of some words; `length`: the most characters. `more`: whether others follow in any case. */
function cutTo(words: string, length: number, more: boolean): string {
  const characters = graphemesOf(words);
  if (characters.length <= length) return more ? `${words}…` : words;
  const cut = characters.slice(0, length).join("");
  // At the end of a word, where words have spaces between them.
  return `${cut.replace(/\s\S{0,30}$/, "")}…`;
}

type Block = { words: string; isHeading: boolean };

/** The paragraphs, headings, items and code at the beginning of a text, each in words, and whether there is more. */
function blocksOf(text: string): { blocks: Block[]; more: boolean } {
  const beginning = wholeWithin(text, BEGINNING);
  const blockOf = (token: Token, at: number, tokens: Token[]) => ({
    words: wordsOf(token).replace(/\s+/g, " ").trim(),
    isHeading: tokens[at - 1]?.type === "heading_open",
  });
  const typed = { words: beginning.replace(/\s+/g, " ").trim(), isHeading: false };
  const blocks = parse(beginning)?.map(blockOf) ?? [typed];
  return { blocks: blocks.filter(({ words }) => words !== ""), more: beginning !== text };
}

/**
 * What a person would quote of a text in Markdown, without its marks: the first paragraph, or the first item of a list,
 * and what a colon leads to. Headings only if there is nothing else. `length`: the most characters.
 */
export function excerptOf(text: string, length = EXCERPT): string {
  const { blocks, more } = blocksOf(text);
  const first = blocks.find(({ isHeading }) => !isHeading) ?? blocks[0];
  if (!first) return more ? "…" : "";
  const next = /[:：]$/.test(first.words) ? blocks[blocks.indexOf(first) + 1] : undefined;
  const quoted = next ? `${first.words} ${next.words}` : first.words;
  return cutTo(quoted, length, more && (next ?? first) === blocks.at(-1));
}

/** The words of a text in Markdown, without its marks. `length`: the most characters. */
export function wordsIn(text: string, length: number): string {
  const { blocks, more } = blocksOf(text);
  return cutTo(blocks.map(({ words }) => words).join(" "), length, more);
}
