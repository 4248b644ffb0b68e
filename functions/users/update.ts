import * as z from "zod/mini";
import * as users from "../../lib/accounts/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { UserId } from "../../lib/http/id-inputs.ts";
import { ManagedUser, managedUserView } from "../../lib/http/resources/accounts.ts";
import { replanned } from "../../lib/table/retries.ts";

/**
 * Changes the role of an account, which ends its API keys. The owner's own role cannot change. Posts and votes show the
 * new role shortly afterwards.
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
  table: { USER: ["get", "update"], API_KEYS: ["query", "delete"], RENAMES: ["put"] },
  // Only the role can change here. So a client has the tag from any answer with the account.
  etagOf: ({ user }) => user.role,
  prefetch: ({ params: { userId } }) => users.findWithKeys(userId),
  trace: ({ params: { userId }, body: { role } }) => ({ account: userId, item: role }),
  handle: async ({ params: { userId }, body: { role }, prefetched, fail, checkState }) => {
    const read = () => users.findWithKeys(userId);
    const changed = await replanned(prefetched, read, async (user) => {
      if (!user) throw fail("USER_NOT_FOUND");
      if (user.role === "owner") throw fail("NOT_ENOUGH_PERMISSION");
      checkState({ user: managedUserView(user) });
      const outcome = user.role === role ? "changed" : await users.changeRole(user, role);
      return outcome === "changed" ? { ...user, role } : "changed meanwhile";
    });
    return { user: managedUserView(changed) };
  },
});
