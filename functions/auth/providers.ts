import * as site from "../../lib/accounts/site.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { SignInWays, signInWaysView } from "../../lib/http/resources/site.ts";

/** Returns the ways to sign in, for a sign-in page. */
export const handler = defineEndpoint({
  name: "auth-providers",
  route: "GET /auth/providers",
  access: "public",
  response: SignInWays,
  table: { SITE: ["get"] },
  prefetch: () => site.find(),
  handle: async ({ prefetched }) => signInWaysView(prefetched),
});
