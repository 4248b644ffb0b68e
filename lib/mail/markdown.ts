import MarkdownIt, { type Token } from "markdown-it";
import { unlinked, unlinkedParts } from "./unlinked.ts";

// What users write is Markdown. A mail shows it as plain text and as simple HTML. It has no pictures, which tell their
// host who reads, and no tables and references, which can make a short text long.

const markdown = new MarkdownIt("default", { html: false, breaks: true }).disable(
  ["linkify", "table", "reference"],
  true,
);
const MOST_NESTED = 100;
markdown.set({ maxNesting: MOST_NESTED });
markdown.validateLink = (url) => /^(https?|mailto):/i.test(url);

/** A text in both forms of a mail. */
export type Quote = { text: string; html: string };

/** A text may become this many times as long, but a short one may grow more: tags are longer than it is. */
const MOST_GROWTH = 6;
const SMALL = 1000;

/**
 * Markdown as plain text and as HTML. Only the links of a trusted author stay links; others become text, of which mail
 * programs make no links either.
 */
export function quoteOf(written: string, { isTrusted }: { isTrusted: boolean }): Quote {
  const tokens = markdown.parse(written, {});
  for (const token of tokens) {
    if (token.block && token.nesting === 1) token.attrSet("dir", "auto");
    if (token.children) token.children = withoutPictures(isTrusted ? token.children : withoutLinks(token.children));
    if (!isTrusted) disarm(token);
  }
  const quote = { text: textOf(tokens), html: markdown.renderer.render(tokens, markdown.options, {}) };
  const most = Math.max(SMALL, MOST_GROWTH * written.length);
  const isSmall = quote.html.length <= most && quote.text.length <= most;
  return isSmall && !isCut(tokens) ? quote : asWritten(isTrusted ? written : unlinked(written));
}

/** Whether a text nests so deeply that markdown-it has left out what is inside. */
function isCut(tokens: Token[]): boolean {
  return tokens.some(({ nesting, level }) => nesting === 1 && level + 1 >= MOST_NESTED);
}

function asWritten(text: string): Quote {
  return { text, html: `<p dir="auto">${markdown.utils.escapeHtml(text).replaceAll("\n", "<br>\n")}</p>\n` };
}

function disarm(token: Token): void {
  const children = token.children ?? [];
  const parts = unlinkedParts(children.map(({ type, content }) => (type.endsWith("break") ? "\n" : content)));
  for (const [at, child] of children.entries()) child.content = parts[at] ?? "";
  token.content = unlinked(token.content);
}

/** Makes a token one of text. */
function asText(token: Token, content: string): Token {
  return Object.assign(token, { type: "text", tag: "", nesting: 0, content, children: null });
}

function withoutPictures(children: Token[]): Token[] {
  return children.map((child) =>
    child.type === "image" ? asText(child, `${child.content} (${child.attrGet("src")})`) : child,
  );
}

/** The address of each link stands in brackets behind its words. */
function withoutLinks(children: Token[]): Token[] {
  let href = "";
  return children.map((child) => {
    if (child.type === "link_open") {
      href = String(child.attrGet("href"));
      return asText(child, "");
    }
    return child.type === "link_close" ? asText(child, ` (${href})`) : child;
  });
}

/** What stands before the first line of an item or a quotation, and before its other lines. */
type Margin = { first: string; rest: string };

/** The tokens of a text as plain text. */
function textOf(tokens: Token[]): string {
  const lines: string[] = [];
  const margins: Margin[] = [];
  const margin = (): string =>
    margins
      .map((each) => {
        const now = each.first;
        each.first = each.rest;
        return now;
      })
      .join("");
  const write = (text: string): void => {
    for (const line of text.trimEnd().split("\n")) lines.push(`${margin()}${line}`.trimEnd());
  };
  const leaveSpace = (): void => {
    if (lines.length > 0 && lines.at(-1) !== "") lines.push("");
  };
  for (const token of tokens) {
    const { type } = token;
    if (type === "list_item_open") margins.push(marginOf(token));
    if (type === "blockquote_open") margins.push({ first: "> ", rest: "> " });
    if (type === "list_item_close" || type === "blockquote_close") margins.pop();
    const isTopList = type.endsWith("list_open") && margins.length === 0;
    const isLoose = type === "paragraph_open" && !token.hidden && margins.length === 0;
    if (isTopList || isLoose || type === "heading_open" || type === "blockquote_open") leaveSpace();
    if (type === "inline") write(inlineTextOf(token.children ?? []));
    if (type === "fence" || type === "code_block") {
      leaveSpace();
      write(token.content);
    }
    if (type === "hr") {
      leaveSpace();
      write("---");
    }
  }
  return lines.join("\n");
}

/** `info` is the number of an item, empty without numbers. */
function marginOf({ info, markup }: Token): Margin {
  const first = info === "" ? "- " : `${info}${markup} `;
  return { first, rest: " ".repeat(first.length) };
}

function inlineTextOf(children: Token[]): string {
  let text = "";
  let link: { href: string; at: number } | undefined;
  for (const child of children) {
    if (child.type === "link_open") link = { href: String(child.attrGet("href")), at: text.length };
    else if (child.type === "link_close" && link) {
      if (text.slice(link.at) !== link.href) text += ` (${link.href})`;
      link = undefined;
    } else text += child.type.endsWith("break") ? "\n" : child.content;
  }
  return text;
}
