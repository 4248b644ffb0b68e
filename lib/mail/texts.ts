import { environment } from "../runtime/environment.ts";
import type { Language } from "../values/languages.ts";
import { fill } from "./fill.ts";
import { de } from "./texts/de.ts";
import { en, type Texts } from "./texts/en.ts";
import { es } from "./texts/es.ts";
import { fr } from "./texts/fr.ts";
import { ja } from "./texts/ja.ts";
import { pt } from "./texts/pt.ts";

const texts: Record<Language, Texts> = { en, de, es, fr, pt, ja };

/** The text of a mail in a language, with its values. */
export function t(key: keyof Texts, language: Language, values: Record<string, string> = {}): string {
  return fill(texts[language][key], values);
}

/** The language of the mails to an account: its own, or else the one of the site. */
export function mailLanguageOf({ language }: { language?: Language | undefined } = {}): Language {
  return language ?? environment().MAIL_LANGUAGE;
}
