import { batch } from "@preact/signals";
import { loadFile } from "./load-file.ts";
import { ofBrowser } from "./store.ts";
import { type Language, language, languageOf, languages, texts } from "./text.ts";

const KEPT_AS = "language";

/** Shows the page in a language, once its texts are there. */
export async function setLanguage(chosen: Language): Promise<void> {
  const loaded = await languages[chosen].load();
  document.documentElement.lang = chosen;
  batch(() => {
    texts.value = loaded;
    language.value = chosen;
  });
}

/** Sets the language that a reader has chosen. This browser keeps it. */
export async function chooseLanguage(chosen: Language): Promise<void> {
  ofBrowser.set(KEPT_AS, chosen);
  await loadFile(() => setLanguage(chosen));
}

/** Sets the language that this browser keeps. Without its texts the page stays as it is. */
export async function followLanguage(): Promise<void> {
  const chosen = ofBrowser.get(KEPT_AS);
  if (chosen) await setLanguage(languageOf(chosen)).catch(() => {});
}
