import { signal } from "@preact/signals";
import { likedLanguage } from "./liked-language.ts";
import { ofBrowser } from "./store.ts";
import { en, type Texts } from "./texts/en.ts";

export type Language = "en" | "de";

/** The language of the page, with its texts. The server sets it before it renders, the browser before it starts. */
export const language = signal<Language>("en");
export const texts = signal<Texts>(en);

export const languages: Record<Language, { name: string; load: () => Promise<Texts> }> = {
  en: { name: "English", load: async () => en },
  de: { name: "Deutsch", load: async () => (await import("./texts/de.ts")).de },
};

/** The language of the portal that a header such as `de-AT,en;q=0.8` likes best; English if it names none. */
export function languageOf(accepted: string): Language {
  return likedLanguage(accepted, Object.keys(languages) as Language[]) ?? "en";
}

/** Sets the language. This browser keeps a choice. */
export async function setLanguage(chosen: Language, isChoice = false): Promise<void> {
  texts.value = await languages[chosen].load();
  language.value = chosen;
  document.documentElement.lang = chosen;
  if (isChoice) ofBrowser.set("language", chosen);
}

/** A text with its values. `n` chooses between the forms for one and for many. */
export function t(key: keyof Texts, values: Record<string, string | number> = {}): string {
  const [one = "", many = one] = texts.value[key].split("|");
  const form = values.n === undefined || values.n === 1 ? one : many;
  return form.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? "";
    return typeof value === "number" ? numeral(value) : value;
  });
}

/** A number as the language writes it. */
export function numeral(n: number): string {
  return n.toLocaleString(language.value);
}

/** The text for a code of the service, or the service's own words. */
export function textOf(code: string, words: string): string {
  return Object.hasOwn(texts.value, code) ? t(code as keyof Texts) : words;
}
