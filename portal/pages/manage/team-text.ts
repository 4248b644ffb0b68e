import { furtherTexts, textOf, written } from "../../text.ts";

// What only the team reads. The team's file brings the texts of the reader's language: visitors load none.

export const teamTexts = {
  en: async () => (await import("./texts/en.ts")).en,
  de: async () => (await import("./texts/de.ts")).de,
  es: async () => (await import("./texts/es.ts")).es,
  fr: async () => (await import("./texts/fr.ts")).fr,
  pt: async () => (await import("./texts/pt.ts")).pt,
  ja: async () => (await import("./texts/ja.ts")).ja,
};

/** A text of the team's pages with its values. */
export const teamText = furtherTexts(teamTexts);

/** The text of a key that may not exist, with its values; else the words. */
export function teamTextOr(key: string, words: string, values: Record<string, string> = {}): string {
  return written(textOf(key, words), values);
}
