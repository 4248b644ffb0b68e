import * as z from "zod/mini";
import * as site from "../../lib/accounts/site.ts";
import * as users from "../../lib/accounts/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { UserId } from "../../lib/http/id-inputs.ts";
import { ManagedUser, managedUserView } from "../../lib/http/resources/accounts.ts";
import { replanned } from "../../lib/table/retries.ts";

/**
 * Changes the role of an account, which ends its API keys. The owner's own role cannot change. Posts and votes show the
 * new role shortly afterwards. Where moderators must have a second factor, the sessions of a new one without it end.
 */
export const handler = defineEndpoint({
  name: "users-update",
  route: "PATCH /users/{userId}",
  permission: "user:write",
  endsAccess: ({ body: { role } }) => role !== "moderator",
  request: z.object({
    params: z.object({ userId: UserId }),
    body: z.object({ role: z.enum(["member", "moderator", "suspended"]) }),
  }),
  response: z.object({ user: ManagedUser }),
  errors: ["NOT_ENOUGH_PERMISSION", "USER_NOT_FOUND"],
  table: {
    SITE: ["get"],
    USER: ["get", "update"],
    CREDENTIALS: ["update"],
    API_KEYS: ["query", "delete"],
    RENAMES: ["put"],
  },
  // Only the role can change here. So a client has the tag from any answer with the account.
  etagOf: ({ user }) => user.role,
  prefetch: async ({ params: { userId } }) => {
    const [user, ofSite] = await Promise.all([users.findWithKeys(userId), site.find()]);
    return { user, requireTwoFactor: ofSite?.requireTwoFactor === true };
  },
  trace: ({ params: { userId }, body: { role } }) => ({ account: userId, item: role }),
  handle: async ({ params: { userId }, body: { role }, prefetched, fail, checkState }) => {
    const read = () => users.findWithKeys(userId);
    const changed = await replanned(prefetched.user, read, async (user) => {
      if (!user) throw fail("USER_NOT_FOUND");
      if (user.role === "owner") throw fail("NOT_ENOUGH_PERMISSION");
      checkState({ user: managedUserView(user) });
      const endsSessions = prefetched.requireTwoFactor && role === "moderator" && !user.twoFactor;
      const outcome = user.role === role ? "changed" : await users.changeRole(user, role, { endsSessions });
      return outcome === "changed" ? { ...user, role } : "changed meanwhile";
    });
    return { user: managedUserView(changed) };
  },
});
