import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { excerptOf, htmlOf } from "../../portal/markdown.ts";
import { BROWSER } from "../support/process/browser.ts";
import { aPortal } from "../support/process/portal.ts";
import { generated } from "../support/world/generated.ts";
import { GROWING, hostileTexts, ORDINARY } from "../support/world/markdown.ts";

const HARMFUL = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg/onload=alert(1)>",
  "[a](javascript:alert(1))",
  "[a](JaVaScRiPt:alert(1))",
  "[a](&#106;avascript:alert(1))",
  "[a](&Tab;javascript:alert(1))",
  "[a](<java\nscript:alert(1)>)",
  "[a](data:text/html;base64,PHNjcmlwdD4=)",
  "[a](vbscript:alert(1))",
  '[a](https://a.example/"onmouseover="alert(1))',
  '[a](https://a.example "" onmouseover=alert(1)")',
  "[a]: javascript:alert(1)\n\n[a]",
  "<javascript:alert(1)>",
  "![x](https://evil.example/x.png)",
  '```"><script>alert(1)</script>\n```',
  "`<script>`",
  '| <a href="javascript:alert(1)"> |\n|---|\n| <b onclick=alert(1)> |',
];

const TABLE = "| Plan | Price |\n|---|---|\n| Small | 5 |";
const LINK = "[here](https://a.example)";
const LINK_HTML = '<a href="https://a.example" rel="nofollow ugc">here</a>';

describe("Markdown", () => {
  it.each(HARMFUL)("becomes known tags with addresses of the web alone: %j", (text) => {
    for (const [, tag = "", attributes = ""] of htmlOf(text).matchAll(/<\/?([^\s>]*)([^>]*)>/g)) {
      expect(tag).toMatch(/^(p|br|a|pre|code)$/);
      expect(attributes).toMatch(/^( href="(https?:[^"]*)" rel="nofollow ugc"| tabindex="0")?$/);
    }
  });

  it("keeps what people write on purpose, and tells search engines not to follow their links", () => {
    expect(htmlOf(`**now** ${LINK}`)).toBe(`<p><strong>now</strong> ${LINK_HTML}</p>\n`);
  });

  it("leaves tables as lines of text, without their marks", () => {
    expect(htmlOf(TABLE)).toBe("<p>Plan · Price<br>\nSmall · 5</p>\n");
    expect(htmlOf("a \\| b | **c**\n:-- | --:\nd | `e`")).toBe(
      "<p>a | b · <strong>c</strong><br>\nd · <code>e</code></p>\n",
    );
    expect(excerptOf(TABLE)).toBe("Plan · Price Small · 5");
    expect(htmlOf("one | two\nor three")).toBe("<p>one | two<br>\nor three</p>\n");
  });

  it.each([99, 100, 5000])("keeps the words in %i nested quotations", (depth) => {
    const text = `${">".repeat(depth)} the words`;
    expect(htmlOf(text)).toContain("the words");
    expect(excerptOf(text.slice(-200))).toContain("the words");
  });

  it("shows a text as it was typed if its tags would be many times as long", () => {
    const text = ">&\n\n".repeat(1000);
    expect(htmlOf(text)).toBe(`<p>${">&amp;<br><br>".repeat(1000)}</p>\n`);
  });
});

const MOST_GROWTH = 6;

function growthOf(text: string): number {
  return Buffer.byteLength(htmlOf(text)) / Buffer.byteLength(text);
}

describe("What people paste", () => {
  const linked = (url: string, text = url) => `<a href="${url}" rel="nofollow ugc">${text}</a>`;

  it.each([
    ["see https://example.com/a?b=1.", `see ${linked("https://example.com/a?b=1")}.`],
    ["(https://a.example/A_(b)), ok", `(${linked("https://a.example/A_(b)")}), ok`],
    ["www.a.example!", `${linked("https://www.a.example", "www.a.example")}!`],
    ["http://例え.jp/あ。", `${linked("http://例え.jp/あ")}。`],
    ["`https://a.example`", "<code>https://a.example</code>"],
    ["xhttps://a.example http:// www.", "xhttps://a.example http:// www."],
    ["![shot](https://a.example/x.png)", linked("https://a.example/x.png", "shot")],
    ["![](https://a.example/x.png)", linked("https://a.example/x.png")],
    ["[![shot](https://a.example/x.png)](https://b.example)", linked("https://b.example", "shot")],
  ])("becomes a link, without the marks of the sentence: %s", (text, html) => {
    expect(htmlOf(text)).toBe(`<p>${html}</p>\n`);
  });

  it("keeps the numbers of a list that a paragraph interrupts", () => {
    expect(htmlOf("1. one\n\nwait\n\n2. two")).toContain('<ol start="2">');
  });

  const levelsIn = (html: string) => [...html.matchAll(/<h(\d)>/g)].map(([, level]) => Number(level));

  it.each([
    ["# a\n## b\n# c", [2, 3, 2]],
    ["## a\n## b", [2, 2]],
    ["### a\n# b\n##### c\n### d", [2, 2, 3, 3]],
    ["# a\n### b\n## c", [2, 3, 3]],
    ["a\n===\nb\n---", [2, 3]],
    ["# a\n## b\n### c\n#### d\n##### e\n###### f", [2, 3, 4, 5, 6, 6]],
  ])("has headings one below the page's, without a gap: %j", (text, levels) => {
    expect(levelsIn(htmlOf(text))).toEqual(levels);
    expect(levelsIn(htmlOf(text, 2))).toEqual(levels.map((level) => Math.min(6, level + 1)));
  });

  it("has boxes of tasks in the place of bullets, and code that the keyboard can scroll", () => {
    expect(htmlOf("- [ ] do\n- [x] done")).toBe(
      '<ul>\n<li class="task">☐ do</li>\n<li class="task">☑ done</li>\n</ul>\n',
    );
    expect(htmlOf("- plain")).toBe("<ul>\n<li>plain</li>\n</ul>\n");
    expect(htmlOf("```js\na < b\n```")).toBe('<pre tabindex="0"><code>a &lt; b\n</code></pre>\n');
  });
});

describe("An excerpt", () => {
  it.each([
    ["5 * 3 = 15, price ~10 | 20", "5 * 3 = 15, price ~10 | 20"],
    ["~/.bashrc and `a|b`", "~/.bashrc and a|b"],
    ["a --- b", "a --- b"],
    ["[the docs](https://a.example) ![shot](https://a.example) _it_ \\* &amp;", "the docs shot it * &"],
  ])("reads as the post does: %s", (text, excerpt) => {
    expect(excerptOf(text)).toBe(excerpt);
  });

  it.each([
    ["the first paragraph", "Every night.\n\nAnd every day.", "Every night."],
    ["the text below a heading", "## Why\n\nIt is dark.\n\n## How", "It is dark."],
    ["the first item of a list", "- dark colours\n- at night", "dark colours"],
    ["the first task", "1. [x] done\n2. open", "☑ done"],
    ["what a colon leads to", "I need:\n\n- dark colours\n- at night", "I need: dark colours"],
    ["a colon to which nothing leads", "I need:", "I need:"],
    ["a heading that stands alone", "# Dark mode", "Dark mode"],
    ["code", "```\nnpm start\n```", "npm start"],
    ["nothing", "\n---\n", ""],
  ])("quotes %s", (_, text, excerpt) => {
    expect(excerptOf(text)).toBe(excerpt);
  });

  it("ends with a whole word, or a whole character", () => {
    expect(excerptOf(`${"word ".repeat(55)}longer words`)).toBe(`${"word ".repeat(55).trim()}…`);
    expect(excerptOf(`${"x".repeat(279)}👨‍👩‍👧y`)).toBe(`${"x".repeat(279)}👨‍👩‍👧…`);
    // Of a long text only the beginning is looked at: it ends within an emoji.
    expect(excerptOf(`${" ".repeat(1997)}x👨‍👩‍👧y`)).toBe("x…");
  });
});

describe("The HTML of a text", () => {
  const name = (text: string) => ({ text, start: text.slice(0, 40) });

  it.each([...hostileTexts(5000), ...hostileTexts(20_000)].map(name))(
    "stays within six times the text: $start",
    ({ text }) => {
      expect(growthOf(text)).toBeLessThanOrEqual(MOST_GROWTH);
    },
  );

  generated("stays within six times the text, whatever signs are repeated", async ({ seed, times }) => {
    const piece = fc.array(fc.constantFrom(...GROWING, " ", "\n", "a", "\u{1f64f}"), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(piece, (parts) => {
        const text = parts.join("").repeat(2000).slice(0, 5000).toWellFormed();
        expect(growthOf(text)).toBeLessThanOrEqual(MOST_GROWTH);
      }),
      { seed, numRuns: times(400) },
    );
  });

  it.each(ORDINARY.map(name))("stays within three times an ordinary text: $start", ({ text }) => {
    expect(growthOf(text.repeat(40))).toBeLessThanOrEqual(3);
  });

  it("may take a kilobyte for a short text", () => {
    expect(htmlOf(">>>>>a")).toContain("<blockquote>");
    expect(Buffer.byteLength(htmlOf(">>>>>a"))).toBeLessThanOrEqual(1000);
  });
});

describe.skipIf(!BROWSER)("Markdown in a browser", () => {
  const portal = aPortal();

  it("shows what the server renders", async () => {
    const { slug } = await portal.post("Rendered twice", { contentMarkdown: `${LINK}\n\n${TABLE}` });
    const page = await portal.open("/");
    const prose = page.locator(".prose").first();
    const shown = async () => (await prose.innerHTML()).replaceAll("\n", "");
    const expected = `<p>${LINK_HTML}</p><p>Plan · Price<br>Small · 5</p>`;
    // The browser renders a page that a link leads to, the server one that is opened.
    await page.getByRole("link", { name: "Rendered twice" }).click();
    await expect.poll(shown).toBe(expected);
    await page.goto(`/posts/${slug}`);
    expect(await shown()).toBe(expected);
  });
});
