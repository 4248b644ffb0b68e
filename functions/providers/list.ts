import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Provider, providerView } from "../../lib/http/resources/providers.ts";
import { callbackUrl } from "../../lib/providers/callback.ts";
import * as providers from "../../lib/providers/providers.ts";

/** Lists the sign-in providers, oldest first, without their secrets, and the callback url to register there. */
export const handler = defineEndpoint({
  name: "providers-list",
  route: "GET /providers",
  permission: "settings:update",
  refusesKeys: true,
  response: z.object({ results: z.array(Provider), callbackUrl: z.string() }),
  table: { PROVIDERS: ["query"] },
  prefetch: () => providers.all(),
  handle: async ({ prefetched }) => ({ results: prefetched.map(providerView), callbackUrl: callbackUrl() }),
});
