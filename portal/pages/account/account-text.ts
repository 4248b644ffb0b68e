import { furtherTexts } from "../../text.ts";

// What the pages of one's own account say: the profile, own posts, the second factor; some rare pages say it too.

export const accountTexts = {
  en: async () => (await import("./texts/en.ts")).en,
  de: async () => (await import("./texts/de.ts")).de,
  es: async () => (await import("./texts/es.ts")).es,
  fr: async () => (await import("./texts/fr.ts")).fr,
  pt: async () => (await import("./texts/pt.ts")).pt,
  ja: async () => (await import("./texts/ja.ts")).ja,
};

export const accountText = furtherTexts(accountTexts);
