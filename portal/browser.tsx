import { hydrate } from "preact";
import { apiAt, followSession } from "./api.ts";
import { App } from "./app.tsx";
import { begin } from "./data.ts";
import { LEFT_AT } from "./parts/pages.tsx";
import { type Language, languageOf, setLanguage } from "./text.ts";

const known = document.getElementById("known")?.textContent;
begin(apiAt(location.origin), known ? JSON.parse(known) : {});
// Without its texts the page works in English.
await setLanguage(document.documentElement.lang as Language).catch(() => {});
// First as the server rendered it, for a visitor; then what this browser knows changes it.
addEventListener("pagehide", () => sessionStorage.setItem(LEFT_AT, String(scrollY)));
hydrate(<App />, document.getElementById("app") as HTMLElement);
followSession();
const chosen = localStorage.getItem("language");
if (chosen) await setLanguage(languageOf(chosen));
