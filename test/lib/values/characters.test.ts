import fc from "fast-check";
import { expect, it } from "vitest";
import { cleanLine, controlIn, refusedInLine, searchedWords, shortened } from "../../../lib/values/characters.ts";
import { anyString } from "../../security/any-string.ts";
import { generated } from "../../support/world/generated.ts";

const england = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}";
const scotland = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}";
const wales = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}";

it.each([
  ["flags of England, Scotland and Wales", `${england}${scotland} ${wales}`],
  ["a form of a Japanese surname", "辻\u{e0100}さん"],
  ["a form of an emoji", "❤\ufe0f 1\ufe0f\u20e3 ☺\ufe0e"],
  ["forms of Mongolian letters", "ᠮᠣᠩᠭᠣᠯ\u180b\u180c\u180d\u180f ᠪ\u180eᠠ"],
  ["a family", "👩\u200d👩\u200d👧"],
  ["a Persian word", "می\u200cخواهم"],
  ["a grapheme joiner", "c\u034fh"],
  ["an Arabic sign for a number", "\u0600١٢"],
  ["hieroglyphs above each other", "\u{13000}\u{13430}\u{13001}"],
  ["a no-break space", "10\u00a0€"],
])("a line keeps %s", (_, text) => {
  expect(refusedInLine(text)).toBeUndefined();
  expect(cleanLine(text)).toBe(text);
});

it.each([
  ["a space without width", "Ol\u200bga\u200b", "Olga"],
  ["a word joiner", "\u2060Olga", "Olga"],
  ["a byte order mark", "\ufeffOl\ufeffga", "Olga"],
  ["a soft hyphen", "Ol\u00adga", "Olga"],
  ["a mark behind Hebrew", "אולגה\u200f", "אולגה"],
  ["a mark of Arabic", "عمر\u061c", "عمر"],
  ["a mark behind a price", "10 €\u200e", "10 €"],
  ["Khmer vowels", "ក\u17b4\u17b5", "ក"],
  ["an operator of a formula", "f\u2061(x)", "f(x)"],
])("a line drops %s", (_, text, cleaned) => {
  expect(refusedInLine(text)).toBeUndefined();
  expect(cleanLine(text)).toBe(cleaned);
});

it.each([
  ["a tab", "a\tb"],
  ["a line break", "a\nb"],
  ["a line break of Windows", "a\r\nb"],
  ["an empty line", "a\n\u200b\n\nb"],
  ["a line separator", "a\u2028b"],
  ["a paragraph separator", "a\u2029b"],
  ["a Hangul filler", "a\u3164b"],
])("a line has a blank for %s", (_, text) => {
  expect(refusedInLine(text)).toBeUndefined();
  expect(cleanLine(text)).toBe("a b");
});

it.each([
  ["an override", "Ada\u202egro", { name: "U+202E", position: 4 }],
  ["an embedding", "\u202aAda", { name: "U+202A", position: 1 }],
  ["an isolate", "👩\u200d🚀 \u2066a", { name: "U+2066", position: 5 }],
  ["a deprecated mark", "a\u206ab", { name: "U+206A", position: 2 }],
  ["an annotation", "a\ufff9b", { name: "U+FFF9", position: 2 }],
  ["a tag behind no flag", "Ada\u{e0041}", { name: "U+E0041", position: 4 }],
  ["a tag behind a flag's last one", `${england}\u{e0067}`, { name: "U+E0067", position: 8 }],
  ["a control character", "\u001b[31m", { name: "U+001B", position: 1 }],
  ["half of a character", "a\ud800", { name: "U+D800", position: 2 }],
])("a line must not have %s", (_, text, found) => {
  expect(refusedInLine(text)).toEqual(found);
});

it("a text of several lines must not have control characters, but tabs and line breaks", () => {
  expect(controlIn("a\n\tb\r\nc\u0085")).toEqual({ name: "U+0085", position: 8 });
  expect(controlIn("\udc00")).toEqual({ name: "U+DC00", position: 1 });
  expect(controlIn("a\n\tb\r\n \u202e\u200b\u2028")).toBeUndefined();
});

it("searched words are cut, without half of a character, and never refused", () => {
  expect(searchedWords(`\t dark\u202emode\u200b\n`, 100)).toBe("dark mode");
  expect(searchedWords("dark mode", 5)).toBe("dark");
  expect(searchedWords("😀😀", 3)).toBe("😀");
});

it.each([
  ["a family", "👩‍👩‍👧"],
  ["a flag", "🇩🇪"],
  ["a letter with its accents", "e\u0301\u0323"],
])("a shortened text has %s as a whole, or not at all", (_, character) => {
  const text = `ab${character}cd`;
  for (let length = 2; length < 2 + character.length; length++) expect(shortened(text, length)).toBe("ab…");
  expect(shortened(text, 2 + character.length)).toBe(`ab${character}…`);
  expect(shortened(text, text.length)).toBe(text);
});

generated("a clean line stays as it is, and has nothing that is refused", async ({ seed, times }) => {
  const some = fc.constantFrom(..."a \t\n\u200b\u00ad\u3164\u202e\u200d\ufe0f", england, "\u{e0067}", "\u{1f3f4}");
  const lines = fc.oneof(
    anyString(40),
    fc.array(some).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(lines, (text) => {
      fc.pre(!refusedInLine(text));
      const cleaned = cleanLine(text);
      expect(cleanLine(cleaned)).toBe(cleaned);
      expect(refusedInLine(cleaned)).toBeUndefined();
    }),
    { seed, numRuns: times(2000) },
  );
});
