import * as z from "zod/mini";
import * as twoFactor from "../../lib/accounts/two-factor.ts";
import { proofOf } from "../../lib/auth/second-factor.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { Text } from "../../lib/http/text-inputs.ts";
import { canSend } from "../../lib/runtime/mail.ts";

/**
 * Makes ten new recovery codes, by a code of the app or a recovery code; the ones before stop working. No other call
 * returns them. The person is told by mail.
 */
export const handler = defineEndpoint({
  name: "users-renew-recovery-codes",
  route: "POST /users/profile/recovery-codes",
  refusesKeys: true,
  permission: "profile:update",
  request: z.object({ body: z.object({ code: Text }) }),
  response: z.object({ recoveryCodes: z.array(z.string()) }),
  errors: ["TWO_FACTOR_OFF", "INCORRECT_CODE"],
  table: { TWO_FACTOR: ["get", "update"], OUTBOX: ["put"] },
  prefetch: (_, userId) => twoFactor.find(userId),
  limit: (_, { network }) => limits.secondFactor(network),
  audit: "own affair",
  trace: ({ caller }) => ({ account: caller.userId }),
  handle: async ({ body: { code }, caller, prefetched: factor, network, fail }) => {
    if (!factor) throw fail("TWO_FACTOR_OFF");
    await limits.countCode(caller.userId, network);
    const proof = proofOf(code, caller.userId, factor);
    const outcome = proof ? await twoFactor.renewRecovery(caller, proof, { sendsMail: canSend() }) : "not good";
    if (outcome === "not good") throw fail("INCORRECT_CODE");
    await limits.codeAccepted(caller.userId, network);
    return { recoveryCodes: outcome };
  },
});
