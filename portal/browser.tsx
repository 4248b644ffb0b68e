import { hydrate } from "preact";
import { apiAt } from "./api.ts";
import { App } from "./app.tsx";
import { begin } from "./data.ts";
import { pressNow } from "./early-press.ts";
import { followPages } from "./notices.ts";
import { isReady } from "./parts/form.tsx";
import { LEFT_AT } from "./parts/pages.tsx";
import { followSession } from "./session.ts";
import { followLanguage, setLanguage } from "./set-language.ts";
import { ofTab } from "./store.ts";
import type { Language } from "./text.ts";
import { followTheme } from "./theme.ts";

const known = document.getElementById("known")?.textContent;
// Without its texts the page works in English, and without those it stays as the server rendered it.
await setLanguage(document.documentElement.lang as Language).catch(() => setLanguage("en"));
begin(apiAt(location.origin), known ? JSON.parse(known) : {});
// First as the server rendered it, for a visitor; then as this browser has it.
addEventListener("pagehide", () => ofTab.set(LEFT_AT, String(scrollY)));
hydrate(<App />, document.getElementById("app") as HTMLElement);
isReady.value = true;
followTheme();
followSession();
followPages();
pressNow();
await followLanguage();
