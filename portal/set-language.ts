import { batch } from "@preact/signals";
import { loadFile } from "./load-file.ts";
import { ofBrowser } from "./store.ts";
import { type Language, language, loadTexts, texts } from "./text.ts";

const KEPT_AS = "language";

/** Shows the page in a language, once its texts are there. */
export async function setLanguage(chosen: Language): Promise<void> {
  const loaded = await loadTexts(chosen);
  document.documentElement.lang = chosen;
  batch(() => {
    texts.value = loaded;
    language.value = chosen;
  });
}

const YEAR_SECONDS = 31_536_000;

/** Tells the server, so that the next page comes in this language. Without cookies it comes in the browser's first. */
function tellServer(chosen: string): void {
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: browsers of 2022 have no other way.
    document.cookie = `${KEPT_AS}=${chosen}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
  } catch {}
}

/** Sets the language that a reader has chosen. This browser keeps it. */
export async function chooseLanguage(chosen: Language): Promise<void> {
  ofBrowser.set(KEPT_AS, chosen);
  tellServer(chosen);
  await loadFile(() => setLanguage(chosen));
}

/** Sets the language that this browser keeps. If that is none of ours, or has no texts, the page stays as it is. */
export async function followLanguage(): Promise<void> {
  const chosen = ofBrowser.get(KEPT_AS);
  if (!chosen) return;
  tellServer(chosen);
  await setLanguage(chosen as Language).catch(() => {});
}
