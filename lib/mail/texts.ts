import { environment } from "../runtime/environment.ts";
import { de } from "./texts/de.ts";
import { en, type Texts } from "./texts/en.ts";

export const languages = { en, de } satisfies Record<string, Texts>;

export type Language = keyof typeof languages;

/** A text in a language, the one of the mails by default, with its values. */
export function t(
  key: keyof Texts,
  values: Record<string, string> = {},
  language: Language = environment().MAIL_LANGUAGE,
): string {
  return languages[language][key].replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
}
