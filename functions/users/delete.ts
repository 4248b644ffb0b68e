import * as z from "zod/mini";
import * as erasures from "../../lib/accounts/erasures.ts";
import * as users from "../../lib/accounts/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { VotesOfDeleted } from "../../lib/http/account-inputs.ts";
import { isFresh } from "../../lib/http/callers.ts";
import { UserId } from "../../lib/http/id-inputs.ts";
import { Erasure, erasureView } from "../../lib/http/resources/erasures.ts";
import { canSend } from "../../lib/runtime/mail.ts";

/**
 * Deletes the account of another person, as DELETE /users/profile deletes one's own. Requires a session younger than
 * ten minutes.
 */
export const handler = defineEndpoint({
  name: "users-delete",
  route: "DELETE /users/{userId}",
  refusesKeys: true,
  permission: "user:write",
  request: z.object({ params: z.object({ userId: UserId }), body: z.object({ votes: VotesOfDeleted }) }),
  success: 202,
  response: z.object({ erasure: Erasure }),
  errors: ["SIGN_IN_AGAIN", "HAND_OVER_FIRST", "USER_NOT_FOUND"],
  table: erasures.TABLE,
  prefetch: ({ params: { userId } }) => users.findWithKeys(userId),
  audit: "user.deleted",
  trace: ({ params: { userId } }) => ({ account: userId }),
  handle: async ({ params: { userId }, body: { votes = "keep" }, caller, prefetched, fail }) => {
    if (!isFresh(caller)) throw fail("SIGN_IN_AGAIN");
    const erased = await erasures.erase(userId, prefetched, { by: caller.userId, votes, isTold: canSend() });
    if (erased === "is the owner") throw fail("HAND_OVER_FIRST");
    if (!erased) throw fail("USER_NOT_FOUND");
    return { erasure: erasureView(erased) };
  },
});
