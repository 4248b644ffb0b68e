import { describe, expect, it } from "vitest";
import { Email } from "../../../lib/http/account-inputs.ts";
import { Line, SearchedWords, WebAddress } from "../../../lib/http/text-inputs.ts";
import { worldNames, worldTitles } from "../../support/world/texts.ts";

describe("The address of a picture", () => {
  it("accepts pictures of the web", () => {
    const good = ["https://example.com/logo.svg", "http://example.com/a(1).png?b=c#d", "https://example.com/\u00e9"];
    for (const text of good) expect(WebAddress.parse(text)).toBe(text);
  });

  it.each([
    ...["https://user:secret@example.com/a.png", "https://user@example.com/a.png", "https://example.com/a b"],
    ...['https://example.com/a.png" onload="x', "https://example.com/'", "https://example.com/<b>"],
    ...["javascript:alert(1)", "//example.com/a.png", "https://"],
  ])("rejects %j", (text) => {
    expect(WebAddress.safeParse(text).success).toBe(false);
  });
});

describe("An e-mail address", () => {
  it("rejects an encoded word", () => {
    expect(Email.safeParse("=?utf-8?q?=41?=x@example.com").success).toBe(false);
    expect(Email.parse("a=b?c@example.com")).toBe("a=b?c@example.com");
  });
});

describe("A name or title", () => {
  it.each([
    ...["Ada Lovelace", "  trimmed\n", "Žofie Ωμέγα 李雷 אדה عمر", "می‌خواهم"],
    ...["👩‍🚀 ❤️ 🇺🇦", "e\u0301", "!", "<script>alert(1)</script>"],
  ])("accepts %j", (text) => {
    expect(Line(60).parse(text)).toBe(text.trim());
  });

  it.each([
    ["only a space without width", "\u200b"],
    ["only a joiner", "\u200d"],
    ["only an empty Braille pattern", "\u2800"],
    ["only a Hangul filler", "\u3164"],
    ["only an accent", "\u0301"],
    ["only a tab and a mark of direction", "\t\u200f"],
    ["only blanks", " \u3000 "],
    ["nothing", ""],
  ])("rejects %s", (_, text) => {
    expect(Line(60).safeParse(text).success).toBe(false);
  });

  it.each([...worldTitles.map(({ title }) => title), ...worldNames.map(([name]) => name)])(
    "stays as it is: %s",
    (text) => {
      expect(Line(60).parse(text)).toBe(text);
    },
  );

  it("is one line, without characters that nobody misses, before its length counts", () => {
    expect(Line(60).parse("\ufeffAda\r\nLove\u00adlace\u200b ")).toBe("Ada Lovelace");
    expect(Line(4).parse("\u200bOl\u200bga\t")).toBe("Olga");
  });

  it("says which character it must not have, and where", () => {
    expect(Line(60).safeParse(" Ada\u202ex").error?.issues[0]?.message).toBe("Must not contain U+202E (character 5)");
  });
});

describe("Words to search", () => {
  it("are cut, not refused", () => {
    expect(SearchedWords(100).parse(`\t${"dark ".repeat(40)}`)).toBe("dark ".repeat(20).trim());
    expect(SearchedWords(100).parse("dark\u202emode")).toBe("dark mode");
    expect(SearchedWords(100).safeParse("\u200b").success).toBe(false);
  });
});
