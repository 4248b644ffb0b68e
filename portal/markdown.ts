import DOMPurify from "dompurify";
import MarkdownIt from "markdown-it";

// Two locks on one door: markdown-it lets no HTML through, and DOMPurify, where there is a document, no tag but these.

// Pictures tell their host who reads. Tables and references repeat a few letters a thousand times: one comment could
// make a page too large for everybody.
const markdown = new MarkdownIt("default", { html: false, breaks: true }).disable(
  ["image", "linkify", "table", "reference"],
  true,
);
const ALLOWED_TAGS = "p br strong em s code pre blockquote ul ol li a h1 h2 h3 h4 h5 h6 hr".split(" ");
const ALLOWED_ATTR = ["href", "rel"];

// Search engines do not count the links of people, so that spam brings nothing.
markdown.renderer.rules.link_open = (tokens, at, options, _, renderer) => {
  tokens[at]?.attrSet("rel", "nofollow ugc");
  return renderer.renderToken(tokens, at, options);
};

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
 * The HTML of a text in Markdown, safe in a page, at most six times as long. A text that would grow more, such as
 * thousands of nested quotes, is shown as it was typed.
 */
export function htmlOf(text: string): string {
  const rendered = markdown.render(text);
  const isSmall = bytesOf(rendered) <= Math.max(SMALL_BYTES, MOST_GROWTH * bytesOf(text));
  const html = isSmall ? rendered : plainHtmlOf(text);
  return DOMPurify.isSupported ? DOMPurify.sanitize(html, { ALLOWED_TAGS, ALLOWED_ATTR }) : html;
}
