import { hydrate } from "preact";
import { apiAt } from "./api.ts";
import { App, loadPages } from "./app.tsx";
import { begin } from "./data.ts";
import { followDoors } from "./doors.ts";
import { fillNow, pressNow, sendNow } from "./early.ts";
import { wasLoadedAnew } from "./load-file.ts";
import { followPages } from "./notices.ts";
import { focusHeading, keepKeyboard } from "./parts/focus.ts";
import { isReady } from "./parts/form.tsx";
import { guardEdits } from "./parts/unsaved.ts";
import { keepScrolled } from "./places.ts";
import { followSession } from "./session.ts";
import { followLanguage, setLanguage } from "./set-language.ts";
import type { Language } from "./text.ts";
import { followTheme } from "./theme.ts";

async function start(): Promise<void> {
  const known = document.getElementById("known")?.textContent;
  // Without its texts the page works in English, and without those it stays as the server rendered it.
  await setLanguage(document.documentElement.lang as Language).catch(() => setLanguage("en"));
  begin(apiAt(location.origin), known ? JSON.parse(known) : {});
  await loadPages(location.pathname);
  // First as the server rendered it, for a visitor; then as this browser has it.
  addEventListener("pagehide", () => keepScrolled());
  guardEdits();
  hydrate(<App />, document.getElementById("app") as HTMLElement);
  followTheme();
  followSession();
  followPages();
  followDoors();
  keepKeyboard();
  // As after a link.
  if (wasLoadedAnew()) focusHeading();
  pressNow();
  await followLanguage();
  // By now the forms have what this browser has kept of them.
  fillNow();
  // Not before: what was typed early would be sent without a check, and would take away what a form then says.
  isReady.value = true;
  sendNow();
}

// Not awaited: a page that is loaded later imports this file, and would wait for it to end.
void start();
