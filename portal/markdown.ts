import DOMPurify from "dompurify";
import MarkdownIt from "markdown-it";

// Two locks on one door: markdown-it lets no HTML through, and DOMPurify, where there is a document, no tag but these.

const markdown = new MarkdownIt("default", { html: false, breaks: true }).disable(["image", "linkify"], true);
const ALLOWED_TAGS =
  "p br strong em s code pre blockquote ul ol li a h1 h2 h3 h4 h5 h6 hr table thead tbody tr th td".split(" ");

/** The HTML of a text in Markdown, safe in a page. Pictures are left out: they tell their host who reads. */
export function htmlOf(text: string): string {
  const html = markdown.render(text);
  return DOMPurify.isSupported ? DOMPurify.sanitize(html, { ALLOWED_TAGS, ALLOWED_ATTR: ["href"] }) : html;
}
