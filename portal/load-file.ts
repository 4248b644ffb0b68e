import { Failure } from "./api.ts";
import { ofTab } from "./store.ts";
import { language, loadTexts, t } from "./text.ts";

const RELOADED_FOR = "reloaded for";

/** Set while a page is loaded anew that a press has asked for. */
const LOADED_ANEW = "loaded anew";

/** Loads the whole page again: browsers keep in mind that a file could not be loaded. */
export function loadPageAnew(): void {
  ofTab.set(LOADED_ANEW, "yes");
  location.reload();
}

/** Whether this page was loaded anew, once. */
export function wasLoadedAnew(): boolean {
  const isSo = ofTab.get(LOADED_ANEW) !== undefined;
  ofTab.remove(LOADED_ANEW);
  return isSo;
}

/**
 * Loads a part of the script, with the texts that it names. A deploy may have removed it: then the page is loaded
 * again, once for each deploy.
 */
export async function loadFile<T>(load: () => Promise<T>): Promise<T> {
  try {
    const part = await load();
    await loadTexts(language.peek());
    return part;
  } catch {
    if (!navigator.onLine) throw new Failure(0, "OFFLINE", t("offline"));
    if (ofTab.get(RELOADED_FOR) === import.meta.url) throw new Failure(0, "FILE_LOST", t("fileLost"));
    ofTab.set(RELOADED_FOR, import.meta.url);
    loadPageAnew();
    // Until the page is gone.
    return new Promise(() => {});
  }
}
