import type { Language } from "../values/languages.ts";
import { fill } from "./fill.ts";
import { dePage } from "./texts/de.ts";
import { enPage, type PageTexts } from "./texts/en.ts";
import { esPage } from "./texts/es.ts";
import { frPage } from "./texts/fr.ts";
import { jaPage } from "./texts/ja.ts";
import { ptPage } from "./texts/pt.ts";

const texts: Record<Language, PageTexts> = {
  en: enPage,
  de: dePage,
  es: esPage,
  fr: frPage,
  pt: ptPage,
  ja: jaPage,
};

/** A text of the page behind the link that ends mails, in a language, with its values. */
export function pageText(key: keyof PageTexts, language: Language, values: Record<string, string> = {}): string {
  return fill(texts[language][key], values);
}
