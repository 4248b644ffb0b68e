import * as z from "zod/mini";
import * as users from "../../lib/accounts/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Line, optional } from "../../lib/http/inputs.ts";
import { profileTag } from "../../lib/http/preconditions.ts";
import { RENAMES } from "../../lib/http/rate-limits.ts";
import { Profile, profileView } from "../../lib/http/resources/accounts.ts";
import { replanned } from "../../lib/table/retries.ts";

/** Changes the caller's name. Posts and votes show the new name shortly after; the username stays. */
export const handler = defineEndpoint({
  name: "users-update-profile",
  route: "PATCH /users/profile",
  permission: "profile:update",
  request: z.object({ body: z.object({ name: optional(Line(60)) }) }),
  response: z.object({ user: Profile }),
  table: { USER: ["update"], RENAMES: ["put"] },
  etagOf: ({ user }) => profileTag(user),
  calls: RENAMES,
  trace: ({ caller }) => ({ account: caller.userId }),
  handle: async ({ body: { name }, caller, checkState }) => {
    const read = async (): Promise<users.UserRecord> => (await users.find(caller.userId)) ?? caller;
    const renamed = await replanned(caller, read, async (user) => {
      checkState({ user: profileView(user) });
      if (name === undefined || name === user.name) return user;
      return (await users.rename(user, name)) === "renamed" ? { ...user, name } : "changed meanwhile";
    });
    return { user: profileView(renamed) };
  },
});
