import { describe, expect, it } from "vitest";
import { Email, Line, WebAddress } from "../../../lib/http/inputs.ts";

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
    ["two lines", "Ada\nAdmin"],
    ["a carriage return", "Ada\rAdmin"],
    ["a tab", "Ada\tAdmin"],
    ["a line separator", "Ada\u2028Admin"],
    ["a change of direction", "Ada\u202egro.elpmaxe"],
    ["an isolate", "Ada\u2066Admin"],
    ["a space without width", "Olga\u200bOwner"],
    ["a soft hyphen", "Ol\u00adga"],
    ["a tag character", "Ada\u{e0041}"],
    ["an interlinear annotation", "Ada\ufff9x"],
    ["only a space without width", "\u200b"],
    ["only a joiner", "\u200d"],
    ["only an empty Braille pattern", "\u2800"],
    ["only a Hangul filler", "\u3164"],
    ["only an accent", "\u0301"],
    ["only blanks", " \u3000 "],
    ["nothing", ""],
  ])("rejects %s", (_, text) => {
    expect(Line(60).safeParse(text).success).toBe(false);
  });
});
