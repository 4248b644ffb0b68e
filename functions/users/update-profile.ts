import * as z from "zod/mini";
import * as users from "../../lib/data/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Line, optional } from "../../lib/http/inputs.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { Profile } from "../../lib/http/schemas.ts";
import { profileView } from "../../lib/http/views.ts";

/**
 * Beyond the contract: changes the caller's name.
 *
 * Posts and votes show the new name shortly after; the username stays.
 */
export const handler = defineEndpoint(
  {
    name: "users-update-profile",
    method: "PATCH",
    path: "/users/profile",
    access: "bearer",
    permission: "profile:update",
    request: z.object({ body: z.object({ name: optional(Line(60)) }) }),
    success: 200,
    response: z.object({ user: Profile }),
    errors: [],
    table: { USER: ["update"], RENAMES: ["put"] },
    limit: (_, { session }) => limits.rename(session),
  },
  async ({ body: { name }, caller }) => {
    if (name === undefined || name === caller.name) return { user: profileView(caller) };
    // If the account was deleted since it was read, there is nothing to rename.
    await users.rename(caller.userId, name);
    return { user: profileView({ ...caller, name }) };
  },
);
