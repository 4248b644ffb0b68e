import * as z from "zod/mini";
import * as identities from "../../lib/accounts/identities.ts";
import * as site from "../../lib/accounts/site.ts";
import * as users from "../../lib/accounts/users.ts";
import * as linking from "../../lib/auth/linking.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { IdentityId } from "../../lib/http/id-inputs.ts";
import { canSend } from "../../lib/runtime/mail.ts";
import { changeStored } from "../../lib/table/retries.ts";

/**
 * Unlinks a sign-in at a provider from the caller's account. One way in stays: a password, a confirmed address on a
 * site that sends mails, or another linked sign-in.
 */
export const handler = defineEndpoint({
  name: "users-unlink",
  route: "DELETE /users/profile/identities/{identityId}",
  refusesKeys: true,
  endsAccess: true,
  request: z.object({ params: z.object({ identityId: IdentityId }) }),
  success: 204,
  errors: ["IDENTITY_NOT_FOUND", "LAST_WAY_IN"],
  table: { IDENTITY: ["delete"], USER: ["update"], CREDENTIALS: ["get"], SITE: ["get"] },
  prefetch: (_, userId) => Promise.all([linking.hasPassword(userId), site.find()]),
  audit: "own affair",
  trace: ({ caller }) => ({ account: caller.userId }),
  handle: async ({ params: { identityId }, caller, prefetched: [hasPassword, ofSite], fail }) => {
    const outcome = await changeStored(
      caller as users.UserRecord | undefined,
      () => users.find(caller.userId),
      async (account) => {
        const { identities: linked = [], isVerified, role } = account;
        if (!linked.includes(identityId)) return "not linked";
        const mayUsePassword = role === "owner" || ofSite?.password !== false;
        const staysOpen = linked.length > 1 || (hasPassword && mayUsePassword) || (isVerified && canSend());
        return staysOpen ? identities.unlink(identityId, account) : "last";
      },
    );
    if (outcome === "last") throw fail("LAST_WAY_IN");
    if (outcome !== "unlinked") throw fail("IDENTITY_NOT_FOUND");
  },
});
