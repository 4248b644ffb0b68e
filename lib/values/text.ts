/**
 * Text in the form in which it is compared without regard to case: NFKC, each character upper-cased and lower-cased again by
 * itself, so that `Straße` meets `STRASSE` and a final sigma meets any other.
 */
export const foldCase = (text: string): string =>
  Array.from(text.normalize("NFKC"), (character) =>
    Array.from(character.toUpperCase(), (upper) => upper.toLowerCase()).join(""),
  )
    .join("")
    .normalize("NFKC");
