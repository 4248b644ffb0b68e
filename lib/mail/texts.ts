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

/** A text in a language, the one of the mails by default, with its values. */
export function t(
  key: keyof Texts,
  values: Record<string, string> = {},
  language: Language = environment().MAIL_LANGUAGE,
): string {
  return fill(texts[language][key], values);
}
