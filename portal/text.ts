import { signal } from "@preact/signals";
import { likedLanguage } from "./liked-language.ts";
import type { Texts } from "./texts/en.ts";

/** The language of the page, with its texts. The server sets it before it renders, the browser before it starts. */
export const language = signal<Language>("en");
export const texts = signal({} as Texts);

/** The languages by their codes (BCP 47), each with its own name. A reader loads the texts of one. */
export const languages = {
  en: { name: "English", load: async () => (await import("./texts/en.ts")).en },
  de: { name: "Deutsch", load: async () => (await import("./texts/de.ts")).de },
  es: { name: "Español", load: async () => (await import("./texts/es.ts")).es },
  fr: { name: "Français", load: async () => (await import("./texts/fr.ts")).fr },
  pt: { name: "Português (Brasil)", load: async () => (await import("./texts/pt.ts")).pt },
  ja: { name: "日本語", load: async () => (await import("./texts/ja.ts")).ja },
} satisfies Record<string, { name: string; load: () => Promise<Texts> }>;

export type Language = keyof typeof languages;

/** The languages as a choice. */
export function languageOptions(): { id: string; name: string }[] {
  return Object.entries(languages).map(([id, { name }]) => ({ id, name }));
}

/** The language of the portal that a header such as `de-AT,en;q=0.8` likes best; English if it names none. */
export function languageOf(accepted: string): Language {
  return likedLanguage(accepted, Object.keys(languages) as Language[]) ?? "en";
}

/** The place of a plural's category among the forms of a text; the last form is for all other numbers. */
const PLACES: Partial<Record<Intl.LDMLPluralRule, number>> = { one: 0, many: 1 };

/** The form of a text for a number, as the language counts: "many" are the millions of Spanish, say. */
function formFor(text: string, n: number): string {
  const forms = text.split("|");
  const category = new Intl.PluralRules(language.value).select(n);
  return (forms.length > 1 && forms.at(PLACES[category] ?? -1)) || text;
}

/** A text with its values. `n` chooses its form. */
export function t(key: keyof Texts, values: Record<string, string | number> = {}): string {
  return written(texts.value[key], values);
}

/** A text with its values in place of their names, in its form for `n`. */
export function written(text: string, values: Record<string, string | number>): string {
  const form = typeof values.n === "number" ? formFor(text, values.n) : text;
  return form.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? "";
    return typeof value === "number" ? numeral(value) : value;
  });
}

/** A moment as the language writes it, by the reader's clock. */
export function momentText(at: string): string {
  return new Date(at).toLocaleString(language.value, { dateStyle: "medium", timeStyle: "short" });
}

/** A number as the language writes it. */
export function numeral(n: number): string {
  return n.toLocaleString(language.value);
}

/** A number where there is little room for it: from ten thousand in the short form of the language, if it has one. */
export function shortNumeral(n: number): string {
  if (n < 10_000) return numeral(n);
  return n.toLocaleString(language.value, { notation: "compact", maximumFractionDigits: 1 });
}

type Further = { load: (language: Language) => Promise<void>; now: () => Record<string, string> };

const further: Further[] = [];

/** All texts that were loaded, of whatever language, each with the same ones in the language of the page. */
const loadedTexts = new Map<Record<string, string>, () => Record<string, string>>();

/**
 * Registers the texts of some pages only; `files` loads them by language. A file of texts calls it when it is imported,
 * and `loadFile`, which imports the page, then loads them. Returns the function that writes a text with its values.
 */
export function furtherTexts<T extends Record<string, string>>(files: Record<Language, () => Promise<T>>) {
  const loaded: Partial<Record<Language, T>> = {};
  const now = () => loaded[language.value] ?? ({} as T);
  const load = async (chosen: Language) => {
    loaded[chosen] ??= await files[chosen]();
    loadedTexts.set(loaded[chosen], now);
  };
  further.push({ load, now });
  return (key: keyof T, values: Record<string, string | number> = {}) => written(now()[key] ?? "", values);
}

/** Loads the texts of a language: of the portal, and of the pages that have come so far. */
export async function loadTexts(chosen: Language): Promise<Texts> {
  await Promise.all(further.map(({ load }) => load(chosen)));
  const loaded = await languages[chosen].load();
  loadedTexts.set(loaded, () => texts.value);
  return loaded;
}

/** The text for a code of the service, or the service's own words. */
export function textOf(code: string, words: string): string {
  const all: Record<string, string>[] = [texts.value, ...further.map(({ now }) => now())];
  return all.find((each) => Object.hasOwn(each, code))?.[code] ?? words;
}

/**
 * A sentence that the page has kept, as it keeps errors, in the language that the reader has chosen since. One with
 * values in it stays as it is.
 */
export function inThisLanguage(sentence: string): string {
  for (const [each, now] of loadedTexts) {
    const key = Object.keys(each).find((one) => each[one] === sentence);
    if (key) return now()[key] ?? sentence;
  }
  return sentence;
}

const BAD_CHARACTER = /(?<name>U\+[0-9A-F]+) \(character (?<position>\d+)\)/;
const TOO_MANY_BYTES = /at most (?<most>[\d,]+) bytes in UTF-8, and has (?<has>[\d,]+)/;

function numberIn(text = ""): number {
  return Number(text.replaceAll(",", ""));
}

/** What is wrong in a field. The service names a character that is not allowed, and counts the bytes of a long text. */
export function problemText({ code, message }: { code: string; message: string }): string {
  const { name = "", position = "" } = BAD_CHARACTER.exec(message)?.groups ?? {};
  if (name) return t("badCharacter", { name, position });
  const { most, has } = TOO_MANY_BYTES.exec(message)?.groups ?? {};
  if (has) return t("tooManyBytes", { has: numberIn(has), most: numberIn(most) });
  return textOf(code, message);
}

type Named = { userId: string; name: string; username?: string };

/** The names that were changed here, by the ids of the accounts. */
const newNames = signal<Record<string, string>>({});

/** Shows a changed name wherever the page has the old one: the service changes what bears it a little later. */
export function showNewName({ userId, name }: Named): void {
  newNames.value = { ...newNames.peek(), [userId]: name };
}

/** The name of who wrote or voted; the account may be deleted. */
export function nameOf({ userId, name, username }: Named): string {
  return username === "deleted" ? t("deletedUser") : (newNames.value[userId] ?? name);
}
