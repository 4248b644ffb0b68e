import { environment } from "../runtime/environment.ts";
import { de } from "./texts/de.ts";
import { en, type Texts } from "./texts/en.ts";

const languages = { en, de } satisfies Record<string, Texts>;

/** A text in the language of the mails, with its values. */
export function t(key: keyof Texts, values: Record<string, string> = {}): string {
  return languages[environment().MAIL_LANGUAGE][key].replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
}
