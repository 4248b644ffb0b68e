import { addCodes, language, written } from "../../text.ts";
import { de } from "./texts/de.ts";
import { en, type TeamTexts } from "./texts/en.ts";
import { es } from "./texts/es.ts";
import { fr } from "./texts/fr.ts";
import { ja } from "./texts/ja.ts";
import { pt } from "./texts/pt.ts";

// What only the team reads stands in the team's file, in all languages: visitors do not load it.

export const teamTexts = { en, de, es, fr, pt, ja };
addCodes(teamTexts);

/** A text of the team's pages with its values. */
export function teamText(key: keyof TeamTexts, values: Record<string, string | number> = {}): string {
  return written(teamTexts[language.value][key], values);
}

/** The text of a key that may not exist, with its values; else the words. */
export function teamTextOr(key: string, words: string, values: Record<string, string> = {}): string {
  return Object.hasOwn(en, key) ? teamText(key as keyof TeamTexts, values) : words;
}
