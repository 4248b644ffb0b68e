import * as z from "zod/mini";
import * as twoFactor from "../../lib/accounts/two-factor.ts";
import * as users from "../../lib/accounts/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { isFresh } from "../../lib/http/callers.ts";
import { UserId } from "../../lib/http/id-inputs.ts";
import { canSend } from "../../lib/runtime/mail.ts";
import { replanned } from "../../lib/table/retries.ts";

/**
 * Switches the second factor of another account off, for a person who has lost the app and the recovery codes. Its
 * sessions end, and the person is told by mail. Requires a session younger than ten minutes.
 */
export const handler = defineEndpoint({
  name: "users-reset-two-factor",
  route: "DELETE /users/{userId}/two-factor",
  refusesKeys: true,
  permission: "user:write",
  request: z.object({ params: z.object({ userId: UserId }) }),
  success: 204,
  errors: ["USER_NOT_FOUND", "NOT_ENOUGH_PERMISSION", "SIGN_IN_AGAIN", "TWO_FACTOR_OFF"],
  table: { USER: ["get", "update"], CREDENTIALS: ["update"], TWO_FACTOR: ["delete"], OUTBOX: ["put"] },
  prefetch: ({ params: { userId } }) => users.find(userId),
  audit: "user.two_factor_removed",
  trace: ({ params: { userId } }) => ({ account: userId }),
  handle: async ({ params: { userId }, caller, prefetched, fail }) => {
    if (!isFresh(caller)) throw fail("SIGN_IN_AGAIN");
    // Their own is switched off by a code.
    if (userId === caller.userId) throw fail("NOT_ENOUGH_PERMISSION");
    await replanned(
      prefetched,
      () => users.find(userId),
      async (account) => {
        if (!account) throw fail("USER_NOT_FOUND");
        if (!account.twoFactor) throw fail("TWO_FACTOR_OFF");
        return twoFactor.reset(account, { sendsMail: canSend() });
      },
    );
  },
});
