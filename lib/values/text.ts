/**
 * Text for case-insensitive comparison: NFKC, each character upper-cased, then lower-cased by itself. So `Straße`
 * equals `STRASSE`, and a final sigma equals any other.
 */
export function foldCase(text: string): string {
  // The same for most texts, and much faster.
  if (/^\p{ASCII}*$/u.test(text)) return text.toLowerCase();
  return Array.from(text.normalize("NFKC"), (character) =>
    Array.from(character.toUpperCase(), (upper) => upper.toLowerCase()).join(""),
  )
    .join("")
    .normalize("NFKC");
}

// Letters that no normal form takes apart, as people write them in ASCII.
const IN_ASCII: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  ħ: "h",
  ŋ: "n",
  ŧ: "t",
  ə: "e",
  // Of African languages.
  ɓ: "b",
  ɖ: "d",
  ɗ: "d",
  ɛ: "e",
  ƒ: "f",
  ɣ: "g",
  ɨ: "i",
  ƙ: "k",
  ɲ: "n",
  ɔ: "o",
  ʉ: "u",
  ʋ: "v",
  ƴ: "y",
};

/** Text in lower case with the letters of ASCII for Latin ones: `Łódź` becomes `lodz`. Other letters stay. */
export function latinLetters(text: string): string {
  const letters = text.normalize("NFKD").toLowerCase().replace(/\p{M}/gu, "");
  return letters.replace(/\p{L}/gu, (letter) => IN_ASCII[letter] ?? letter);
}

/** A number with leading zeros, so that it sorts as text. */
export function padded(number: number, digits: number): string {
  return String(number).padStart(digits, "0");
}
