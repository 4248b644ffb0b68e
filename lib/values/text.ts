/**
 * Text for case-insensitive comparison: NFKC, each character upper-cased, then lower-cased by itself. So `Straße`
 * equals `STRASSE`, and a final sigma equals any other.
 */
export function foldCase(text: string): string {
  return Array.from(text.normalize("NFKC"), (character) =>
    Array.from(character.toUpperCase(), (upper) => upper.toLowerCase()).join(""),
  )
    .join("")
    .normalize("NFKC");
}

export function padded(number: number, digits: number): string {
  return String(number).padStart(digits, "0");
}
