import { hydrate } from "preact";
import { apiAt, followSession } from "./api.ts";
import { App } from "./app.tsx";
import { begin } from "./data.ts";
import { type Language, setLanguage } from "./text.ts";

const known = document.getElementById("known")?.textContent;
begin(apiAt(location.origin), known ? JSON.parse(known) : {});
await setLanguage(document.documentElement.lang as Language);
followSession();
hydrate(<App />, document.getElementById("app") as HTMLElement);
