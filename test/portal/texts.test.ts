import { describe, expect, it } from "vitest";
import { errorCatalogue } from "../../lib/runtime/errors.ts";
import { htmlOf } from "../../portal/markdown.ts";
import { de } from "../../portal/texts/de.ts";
import { en } from "../../portal/texts/en.ts";

describe("The file of a language", () => {
  it("lists the keys of the others, in the same order", () => {
    expect(Object.keys(de)).toEqual(Object.keys(en));
  });

  it("explains every code of the service", () => {
    for (const texts of [en, de])
      expect(Object.keys(errorCatalogue).filter((code) => !Object.hasOwn(texts, code))).toEqual([]);
  });

  it("shows the same values as the others", () => {
    const values = (text: string) => text.split("|").map((form) => (form.match(/\{\w+\}/g) ?? []).sort());
    for (const [key, text] of Object.entries(en)) expect(values(de[key as keyof typeof de]), key).toEqual(values(text));
  });
});

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

// A page without JavaScript has what the server renders, where no DOMPurify runs.
describe("Markdown on the server", () => {
  it.each(HARMFUL)("becomes known tags with addresses of the web alone: %j", (text) => {
    for (const [, tag = "", attributes = ""] of htmlOf(text).matchAll(/<\/?([^\s>]*)([^>]*)>/g)) {
      expect(tag).toMatch(/^(p|br|a|pre|code|table|thead|tbody|tr|th|td)$/);
      expect(attributes).toMatch(/^( href="(https?:[^"]*)"( title="[^"]*")?| class="language-[^"]*")?$/);
    }
  });

  it("keeps what people write on purpose", () => {
    expect(htmlOf("**now** [here](https://a.example)")).toBe(
      '<p><strong>now</strong> <a href="https://a.example">here</a></p>\n',
    );
  });
});
