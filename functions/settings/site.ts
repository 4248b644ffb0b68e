import * as z from "zod/mini";
import * as site from "../../lib/accounts/site.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { tagOf } from "../../lib/http/preconditions.ts";
import { SiteSettings, siteSettingsView } from "../../lib/http/resources/site.ts";

/** Returns the name, look and rules of the site. */
export const handler = defineEndpoint({
  name: "settings-site",
  route: "GET /settings/site",
  access: "public",
  response: z.object({ settings: SiteSettings }),
  table: { SITE: ["get"] },
  etagOf: ({ settings }) => tagOf(settings),
  prefetch: () => site.find(),
  handle: async ({ prefetched }) => ({ settings: siteSettingsView(prefetched) }),
});
