import { furtherTexts } from "../../text.ts";

// What only the pages of rare.tsx say, most of which a person opens once: the set-up, a sign-up, a new password.

export const firstTexts = {
  en: async () => (await import("./first-texts/en.ts")).en,
  de: async () => (await import("./first-texts/de.ts")).de,
  es: async () => (await import("./first-texts/es.ts")).es,
  fr: async () => (await import("./first-texts/fr.ts")).fr,
  pt: async () => (await import("./first-texts/pt.ts")).pt,
  ja: async () => (await import("./first-texts/ja.ts")).ja,
};

export const firstText = furtherTexts(firstTexts);
