import * as z from "zod/mini";
import * as users from "../../lib/data/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { UserId } from "../../lib/http/inputs.ts";
import { ManagedUser } from "../../lib/http/schemas.ts";
import { managedUserView } from "../../lib/http/views.ts";

/**
 * Beyond the contract: the owner gives an account another role.
 *
 * The owner's own role cannot be changed. Posts and votes show the new role shortly after.
 */
export const handler = defineEndpoint(
  {
    name: "users-update",
    method: "PATCH",
    path: "/users/{userId}",
    access: "bearer",
    permission: "user:write",
    request: z.object({
      params: z.object({ userId: UserId }),
      body: z.object({ role: z.enum(["member", "moderator", "suspended"]) }),
    }),
    success: 200,
    response: z.object({ user: ManagedUser }),
    errors: ["NOT_ENOUGH_PERMISSION", "USER_NOT_FOUND"],
    table: { USER: ["get", "update"], RENAMES: ["put"] },
    read: ({ params: { userId } }) => users.find(userId),
  },
  async ({ body: { role }, read: user, fail, about }) => {
    about({ account: user?.userId });
    if (!user) throw fail("USER_NOT_FOUND");
    if (user.role === "owner") throw fail("NOT_ENOUGH_PERMISSION");
    if (user.role !== role) {
      const outcome = await users.changeRole(user.userId, role);
      if (outcome === "no such user") throw fail("USER_NOT_FOUND");
      if (outcome === "is the owner") throw fail("NOT_ENOUGH_PERMISSION");
    }
    return { user: managedUserView({ ...user, role }) };
  },
);
