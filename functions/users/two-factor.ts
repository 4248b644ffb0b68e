import * as z from "zod/mini";
import * as challenges from "../../lib/auth/challenges.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { isFresh } from "../../lib/http/callers.ts";

/**
 * Begins to switch the caller's second factor on, in a session younger than ten minutes: the `challenge` is for POST
 * /auth/two-factor/enrol.
 */
export const handler = defineEndpoint({
  name: "users-two-factor",
  route: "POST /users/profile/two-factor",
  refusesKeys: true,
  permission: "profile:update",
  response: z.object({ challenge: z.string() }),
  errors: ["SIGN_IN_AGAIN", "TWO_FACTOR_ON"],
  handle: async ({ caller, fail }) => {
    if (caller.twoFactor) throw fail("TWO_FACTOR_ON");
    if (!isFresh(caller)) throw fail("SIGN_IN_AGAIN");
    return { challenge: await challenges.issue(caller) };
  },
});
