import * as z from "zod/mini";
import * as erasures from "../../lib/accounts/erasures.ts";
import * as users from "../../lib/accounts/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { VotesOfDeleted } from "../../lib/http/account-inputs.ts";
import { isFresh } from "../../lib/http/callers.ts";
import { Erasure, erasureView } from "../../lib/http/resources/erasures.ts";
import { canSend } from "../../lib/runtime/mail.ts";

/**
 * Deletes the caller's account, in a session younger than ten minutes. Sign-in, address, names, API keys, second factor
 * and linked sign-ins end with the answer; posts and comments lose their author within minutes. Votes stay, without a
 * name; with `votes: "withdraw"` they are taken back. The answer says what stays, and until when. The owner hands the
 * site over first. The address may sign up again, as a stranger.
 */
export const handler = defineEndpoint({
  name: "users-delete-profile",
  route: "DELETE /users/profile",
  refusesKeys: true,
  request: z.object({ body: z.object({ votes: VotesOfDeleted }) }),
  success: 202,
  response: z.object({ erasure: Erasure }),
  errors: ["SIGN_IN_AGAIN", "HAND_OVER_FIRST", "INVALID_TOKEN"],
  // The account is read as the caller.
  table: { ...erasures.TABLE, USER: ["delete"] },
  prefetch: (_, userId) => users.findWithKeys(userId),
  audit: "user.deleted",
  trace: ({ caller }) => ({ account: caller.userId }),
  handle: async ({ body: { votes = "keep" }, caller, prefetched, fail }) => {
    if (!isFresh(caller)) throw fail("SIGN_IN_AGAIN");
    const erased = await erasures.erase(caller.userId, prefetched, { by: caller.userId, votes, isTold: canSend() });
    if (erased === "is the owner") throw fail("HAND_OVER_FIRST");
    // Another call was faster.
    if (!erased) throw fail("INVALID_TOKEN");
    return { erasure: erasureView(erased) };
  },
});
