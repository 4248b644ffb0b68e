import * as z from "zod/mini";
import * as users from "../../lib/accounts/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { PersonName } from "../../lib/http/account-inputs.ts";
import { changeIn, optional } from "../../lib/http/inputs.ts";
import { profileTag } from "../../lib/http/preconditions.ts";
import { RENAMES } from "../../lib/http/rate-limits.ts";
import { Profile, profileView } from "../../lib/http/resources/accounts.ts";
import { Text } from "../../lib/http/text-inputs.ts";
import { invalid } from "../../lib/runtime/errors.ts";
import { replanned } from "../../lib/table/retries.ts";
import { LANGUAGES } from "../../lib/values/languages.ts";

/**
 * Changes the caller's name, and the language of the mails to it. Posts and votes show a new name shortly after; the
 * username stays. Only calls with a `name` are limited. `email` can be the present one only: another needs POST
 * /users/profile/email.
 */
export const handler = defineEndpoint({
  name: "users-update-profile",
  route: "PATCH /users/profile",
  permission: "profile:update",
  request: z.object({
    body: z.object({
      name: optional(PersonName),
      email: optional(Text),
      language: z.nullish(z.enum(LANGUAGES)),
    }),
  }),
  response: z.object({ user: Profile }),
  table: { USER: ["update"], RENAMES: ["put"], PEOPLE: ["put", "delete"] },
  etagOf: ({ user }) => profileTag(user),
  callLimits: RENAMES,
  // Another language is written into the account alone.
  isLimited: ({ body: { name } }) => name !== undefined,
  audit: "own affair",
  trace: ({ caller }) => ({ account: caller.userId }),
  handle: async ({ body: { email, ...body }, caller, checkState }) => {
    if (email !== undefined && email.toLowerCase() !== caller.email) {
      throw invalid("body.email", "custom", "Ask for another address by POST /users/profile/email");
    }
    const read = async (): Promise<users.UserRecord> => (await users.find(caller.userId)) ?? caller;
    const changed = await replanned(caller, read, async (user) => {
      checkState({ user: profileView(user) });
      return users.changeProfile(user, changeIn(body));
    });
    return { user: profileView(changed) };
  },
});
