import * as z from "zod/mini";
import { isStaff } from "../../lib/accounts/roles.ts";
import * as site from "../../lib/accounts/site.ts";
import * as twoFactor from "../../lib/accounts/two-factor.ts";
import { proofOf } from "../../lib/auth/second-factor.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { Text } from "../../lib/http/text-inputs.ts";
import { canSend } from "../../lib/runtime/mail.ts";

/** Switches the caller's second factor off, by a code of the app or a recovery code. Sessions stay. */
export const handler = defineEndpoint({
  name: "users-end-two-factor",
  route: "DELETE /users/profile/two-factor",
  refusesKeys: true,
  permission: "profile:update",
  request: z.object({ body: z.object({ code: Text }) }),
  success: 204,
  errors: ["TWO_FACTOR_OFF", "TWO_FACTOR_REQUIRED", "INCORRECT_CODE", "INVALID_TOKEN"],
  table: { SITE: ["get"], USER: ["update"], TWO_FACTOR: ["get", "delete"], OUTBOX: ["put"] },
  prefetch: async (_, userId) => {
    const [ofSite, factor] = await Promise.all([site.find(), twoFactor.find(userId)]);
    return { isRequired: ofSite?.requireTwoFactor === true, factor };
  },
  limit: (_, { network }) => limits.secondFactor(network),
  audit: "user.two_factor_removed",
  trace: ({ caller }) => ({ account: caller.userId }),
  handle: async ({ body: { code }, caller, prefetched: { isRequired, factor }, network, fail }) => {
    if (!factor) throw fail("TWO_FACTOR_OFF");
    if (isRequired && isStaff(caller)) throw fail("TWO_FACTOR_REQUIRED");
    await limits.countCode(caller.userId, network);
    const proof = proofOf(code, caller.userId, factor);
    const outcome = proof ? await twoFactor.switchOff(caller, proof, { sendsMail: canSend() }) : "not good";
    if (outcome === "not good") throw fail("INCORRECT_CODE");
    if (outcome === "changed meanwhile") throw fail("INVALID_TOKEN");
    await limits.codeAccepted(caller.userId, network);
  },
});
