import * as z from "zod/mini";
import * as twoFactor from "../../lib/accounts/two-factor.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";

/** Returns how many recovery codes of the caller's second factor are left. */
export const handler = defineEndpoint({
  name: "users-recovery-codes",
  route: "GET /users/profile/recovery-codes",
  refusesKeys: true,
  response: z.object({ left: z.int() }),
  errors: ["TWO_FACTOR_OFF"],
  table: { TWO_FACTOR: ["get"] },
  prefetch: (_, userId) => twoFactor.find(userId),
  handle: async ({ prefetched, fail }) => {
    if (!prefetched) throw fail("TWO_FACTOR_OFF");
    return { left: Object.keys(prefetched.recovery).length };
  },
});
