import { furtherTexts } from "../../text.ts";

// What pages say that most people open once (rare.tsx: the set-up, a sign-up, a new password) or when they leave.

export const firstTexts = {
  en: async () => (await import("./first-texts/en.ts")).en,
  de: async () => (await import("./first-texts/de.ts")).de,
  es: async () => (await import("./first-texts/es.ts")).es,
  fr: async () => (await import("./first-texts/fr.ts")).fr,
  pt: async () => (await import("./first-texts/pt.ts")).pt,
  ja: async () => (await import("./first-texts/ja.ts")).ja,
};

export const firstText = furtherTexts(firstTexts);
