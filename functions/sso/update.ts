import * as z from "zod/mini";
import * as site from "../../lib/accounts/site.ts";
import * as sso from "../../lib/accounts/sso.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { isFresh } from "../../lib/http/callers.ts";
import { toldIn } from "../../lib/http/inputs.ts";
import { Sso, ssoView } from "../../lib/http/resources/sso.ts";

/**
 * Says whether the owner and moderators may sign in by tokens of the owner's product too. `staff: true` needs a session
 * younger than ten minutes.
 */
export const handler = defineEndpoint({
  name: "sso-update",
  route: "PATCH /sso",
  permission: "settings:update",
  refusesKeys: true,
  endsAccess: ({ body: { staff } }) => !staff,
  request: z.object({ body: z.object({ staff: z.boolean() }) }),
  response: z.object({ sso: Sso }),
  errors: ["NOT_ENOUGH_PERMISSION", "SIGN_IN_AGAIN"],
  table: { SITE: ["get", "update"] },
  prefetch: () => site.find(),
  audit: "sso.updated",
  trace: ({ body }) => ({ changed: toldIn(body) }),
  handle: async ({ body: { staff }, caller, prefetched, fail }) => {
    if (!prefetched) throw fail("NOT_ENOUGH_PERMISSION");
    if (staff && !isFresh(caller)) throw fail("SIGN_IN_AGAIN");
    await sso.setStaff(staff);
    return { sso: ssoView({ ...prefetched, ssoStaff: staff }) };
  },
});
