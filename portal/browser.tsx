import { hydrate } from "preact";
import { apiAt } from "./api.ts";
import { App } from "./app.tsx";
import { begin } from "./data.ts";
import { followPages } from "./notices.ts";
import { isReady } from "./parts/form.tsx";
import { LEFT_AT } from "./parts/pages.tsx";
import { followSession } from "./session.ts";
import { ofBrowser, ofTab } from "./store.ts";
import { type Language, languageOf, setLanguage } from "./text.ts";
import { followTheme } from "./theme.ts";

const known = document.getElementById("known")?.textContent;
begin(apiAt(location.origin), known ? JSON.parse(known) : {});
// Without its texts the page works in English.
await setLanguage(document.documentElement.lang as Language).catch(() => {});
// First as the server rendered it, for a visitor; then what this browser knows changes it.
addEventListener("pagehide", () => ofTab.set(LEFT_AT, String(scrollY)));
hydrate(<App />, document.getElementById("app") as HTMLElement);
isReady.value = true;
followTheme();
followSession();
followPages();
const chosen = ofBrowser.get("language");
if (chosen) await setLanguage(languageOf(chosen));
