import * as z from "zod/mini";
import * as site from "../../lib/accounts/site.ts";
import * as sso from "../../lib/accounts/sso.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { isFresh } from "../../lib/http/callers.ts";
import { changeStored } from "../../lib/table/retries.ts";

/**
 * Makes a new secret that signs tokens of the owner's product, in a session younger than ten minutes:
 * docs/sign-in.md#by-your-own-product. It is shown once. The one before it works for another 24 hours. The first one
 * switches this way to sign in on.
 */
export const handler = defineEndpoint({
  name: "sso-rotate",
  route: "POST /sso/rotate",
  permission: "settings:update",
  refusesKeys: true,
  response: z.object({ secret: z.string() }),
  errors: ["NOT_ENOUGH_PERMISSION", "SIGN_IN_AGAIN"],
  table: { SITE: ["get", "update"], SSO_SECRET: ["put", "update"] },
  prefetch: () => site.find(),
  audit: "sso.secret_renewed",
  trace: () => ({}),
  handle: async ({ caller, prefetched, fail }) => {
    if (!isFresh(caller)) throw fail("SIGN_IN_AGAIN");
    const secret = await changeStored(prefetched, site.find, sso.rotate);
    // Setup creates the owner together with the site: before setup no caller has the permission.
    if (secret === undefined) throw fail("NOT_ENOUGH_PERMISSION");
    return { secret };
  },
});
