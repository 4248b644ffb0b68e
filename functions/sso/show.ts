import * as z from "zod/mini";
import * as site from "../../lib/accounts/site.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Sso, ssoView } from "../../lib/http/resources/sso.ts";

/** Returns whether people sign in by tokens of the owner's product, without the secret that signs them. */
export const handler = defineEndpoint({
  name: "sso-show",
  route: "GET /sso",
  permission: "settings:update",
  refusesKeys: true,
  response: z.object({ sso: Sso }),
  table: { SITE: ["get"] },
  prefetch: () => site.find(),
  handle: async ({ prefetched }) => ({ sso: ssoView(prefetched) }),
});
