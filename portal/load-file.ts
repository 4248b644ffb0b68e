import { Failure } from "./api.ts";
import { ofTab } from "./store.ts";
import { language, loadTexts, t } from "./text.ts";

const RELOADED_FOR = "reloaded for";

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
    location.reload();
    // Until the page is gone.
    return new Promise(() => {});
  }
}
