import * as site from "../../lib/accounts/site.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { SignInWays, signInWaysView } from "../../lib/http/resources/site.ts";
import * as providers from "../../lib/providers/providers.ts";

/** Returns the ways to sign in, for a sign-in page. */
export const handler = defineEndpoint({
  name: "auth-providers",
  route: "GET /auth/providers",
  access: "public",
  response: SignInWays,
  table: { SITE: ["get"], PROVIDERS: ["query"] },
  prefetch: () => Promise.all([site.find(), providers.all()]),
  handle: async ({ prefetched: [ofSite, all] }) => signInWaysView(ofSite, all),
});
