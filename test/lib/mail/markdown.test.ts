import { describe, expect, it } from "vitest";
import { quoteOf } from "../../../lib/mail/markdown.ts";
import { unlinked } from "../../../lib/mail/unlinked.ts";

const ofTeam = (text: string) => quoteOf(text, { isTrusted: true });
const ofMember = (text: string) => quoteOf(text, { isTrusted: false });

/** What a mail program would show of an HTML. */
function shown(html: string): string {
  return html.replace(/<[^>]+>/g, "").replaceAll("\u2060", "");
}

// A mail program makes links of what has one of these forms.
const LINKED = /https?:\/\/\w|www\.\w|\w@\w+\.\w|[\p{L}\p{N}]\.\p{L}{2,}/iu;

describe("Markdown in a mail", () => {
  it.each([
    ["We **will** do _it_.", "We will do it.", "<strong>will</strong>"],
    ["# Soon\n\nand `safe`", "Soon\n\nand safe", '<h1 dir="auto">Soon</h1>'],
    ["one\ntwo", "one\ntwo", "one<br>\ntwo"],
    ["- a\n- b\n\nend", "- a\n- b\n\nend", '<ul dir="auto">\n<li dir="auto">a</li>'],
    ["3. c\n4. d", "3. c\n4. d", '<ol start="3" dir="auto">'],
    ["- a\n  - b", "- a\n  - b", "<ul"],
    ["> said\n> so", "> said\n> so", '<blockquote dir="auto">'],
    ["```\nx = 1\n  y\n```", "x = 1\n  y", "<pre><code>x = 1\n  y\n</code></pre>"],
    ["a\n\n---\n\nb", "a\n\n---\n\nb", "<hr>"],
    ["5 * 3 = 15 and 2*3*4", "5 * 3 = 15 and 234", "5 * 3 = 15"],
    ["[the docs](https://docs.example/a)", "the docs (https://docs.example/a)", '<a href="https://docs.example/a">'],
    ["<https://docs.example>", "https://docs.example", '<a href="https://docs.example">'],
    ["![a shot](https://p.example/x.png)", "a shot (https://p.example/x.png)", "a shot (https://p.example/x.png)"],
    ["&amp; &lt;", "& <", "&amp; &lt;"],
    ["| a | b |\n|---|---|\n| 1 | 2 |", "| a | b |\n|---|---|\n| 1 | 2 |", "| a | b |"],
    ["", "", ""],
  ])("%j is %j in plain text", (written, text, html) => {
    const quote = ofTeam(written);
    expect(quote.text).toBe(text);
    expect(quote.html).toContain(html);
  });

  it.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[a](javascript:alert(1))",
    "[a](data:text/html,<b>)",
    "[a](/relative)",
    '![a"onerror="x](https://p.example/x)',
    "`</code><script>`",
    "```html\n</pre><script>\n```",
    '<https://e.example/"onclick="x>',
  ])("%j brings no markup of its own into the HTML", (written) => {
    for (const { html } of [ofTeam(written), ofMember(written)]) {
      expect(html).not.toMatch(/<(script|img|b)\b|href="(?!https?:|mailto:)|<[^>]*"\s*on\w+=/i);
    }
  });

  it.each([
    ["nested quotations", ">".repeat(2000)],
    ["nested lists", "- ".repeat(1000)],
    ["emphasis", "*a*".repeat(660)],
    ["links", "[a](https://e)".repeat(140)],
    ["ampersands", "&".repeat(2000)],
    ["lines", "a\n".repeat(1000)],
    ["rules", "---\n".repeat(500)],
    ["lines of a nested quotation", `${">".repeat(90)}a\n${"b\n".repeat(950)}`],
    ["lines of a nested list", `${"- ".repeat(48)}a\n${"b\n".repeat(950)}`],
    ["table", `|${"a|".repeat(60)}\n|${"-|".repeat(60)}\n${"|\n".repeat(800)}`],
  ])("stays within six times its length: %s", (_, written) => {
    for (const { html, text } of [ofTeam(written), ofMember(written)]) {
      expect(html.length).toBeLessThanOrEqual(6 * written.length);
      expect(text.length).toBeLessThanOrEqual(6 * written.length);
    }
  });

  it.each([99, 100, 500])("keeps the words in %i nested quotations", (depth) => {
    const { html, text } = ofMember(`${">".repeat(depth)} the words`);
    expect(html).toContain("the words");
    expect(text).toContain("the words");
  });
});

describe("An address that a member wrote", () => {
  it.each([
    "see https://evil.example/a?b=1.",
    "see www.evil.example",
    "evil.example",
    "mail me@evil.example",
    "[your bank](https://evil.example)",
    "<https://evil.example>",
    "![x](https://evil.example/x.png)",
    "**https://evil.example**",
    "`https://evil.example`",
    "```\nhttps://evil.example\n```",
    "HTTPS://EVIL.EXAMPLE",
    "ev\u00eel.example",
    "evil.**example**",
    "evil`.example`",
    "ev*il*.example",
    "me\\@evil.**example**",
    "https:/**/evil.example**",
    "evil&#46;example",
  ])("makes no link in a mail, and looks the same: %s", (written) => {
    const { text, html } = ofMember(written);
    expect(html).not.toContain("<a ");
    expect(html).not.toMatch(LINKED);
    expect(html.replace(/<[^>]+>/g, "")).not.toMatch(LINKED);
    expect(text).not.toMatch(LINKED);
    expect(shown(html).toLowerCase()).toMatch(/evil\.example|evîl\.example/);
  });

  it.each(["Ada Lovelace", "O'Brien", "J. R. R. Tolkien", "version 2.0", "12:30", "a/b", "Ünïcode…", "Dr. Who"])(
    "is not seen in %s",
    (text) => {
      expect(unlinked(text)).toBe(text);
    },
  );

  it("is found in a long text without blanks, in time in proportion to its length", () => {
    const text = "a".repeat(10_000);
    expect(unlinked(text)).toBe(text);
    expect(unlinked(`${text}.example`)).toBe(`${text}.\u2060example`);
  });

  it("keeps its looks", () => {
    expect(unlinked("X https://evil.example").replaceAll("\u2060", "")).toBe("X https://evil.example");
  });
});
