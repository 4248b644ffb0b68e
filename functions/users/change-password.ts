import * as z from "zod/mini";
import * as ownPassword from "../../lib/accounts/own-password.ts";
import * as site from "../../lib/accounts/site.ts";
import * as users from "../../lib/accounts/users.ts";
import * as passwords from "../../lib/auth/passwords.ts";
import * as tokens from "../../lib/auth/tokens.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { TriedPassword } from "../../lib/http/account-inputs.ts";
import { isFresh } from "../../lib/http/callers.ts";
import { optional } from "../../lib/http/inputs.ts";
import { Password } from "../../lib/http/new-password.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { User, userView } from "../../lib/http/resources/accounts.ts";
import { canSend } from "../../lib/runtime/mail.ts";
import { isNoAddress } from "../../lib/values/no-address.ts";

/**
 * Changes the caller's password, by the present one. An account without a password gets its first one, in a session
 * younger than ten minutes; a `password` sent for it is refused as a wrong one. All other sessions end, and so does the
 * wait for a new address; this session continues with the answered token, as old as it was. API keys, linked sign-ins
 * and the second factor stay. A confirmed address is told. An account without an address has no password; where the
 * owner has switched passwords off, only the owner changes theirs.
 */
export const handler = defineEndpoint({
  name: "users-change-password",
  route: "POST /users/profile/password",
  refusesKeys: true,
  request: z.object({ body: z.object({ password: optional(TriedPassword), newPassword: Password }) }),
  response: z.object({ user: User }),
  errors: ["PASSWORD_MISSING", "PASSWORD_NOT_ALLOWED", "INCORRECT_PASSWORD", "SIGN_IN_AGAIN", "INVALID_TOKEN"],
  table: { SITE: ["get"], USER: ["update"], CREDENTIALS: ["get", "update"], OUTBOX: ["put"] },
  hashesPasswords: true,
  prefetch: (_, userId) => Promise.all([users.passwordHashOf(userId), site.find()]),
  audit: "own affair",
  trace: ({ caller }) => ({ account: caller.userId }),
  handle: async ({ body: { password, newPassword }, caller, prefetched: [stored, ofSite], network, fail }) => {
    const { email, role, signedInAt } = caller;
    const takesPasswords = ofSite?.password !== false || role === "owner";
    if (!takesPasswords || isNoAddress(email)) throw fail("PASSWORD_NOT_ALLOWED");
    const present = stored === passwords.hashOfNone ? undefined : stored;
    const isFirst = present === undefined;
    if (isFirst) {
      // A person who types one believes that it counts.
      if (password !== undefined) throw fail("INCORRECT_PASSWORD", "The account has no password yet");
      if (!isFresh(caller)) throw fail("SIGN_IN_AGAIN");
    } else {
      if (password === undefined) throw fail("PASSWORD_MISSING");
      await limits.countPassword(email, network);
      const { isRight } = await passwords.verify(password, present);
      if (!isRight) throw fail("INCORRECT_PASSWORD", "The present password is wrong");
      await limits.loggedIn(email, network);
    }
    const passwordHash = await passwords.hash(newPassword);
    const changed = await ownPassword.change(caller, passwordHash, { isFirst, sendsMail: canSend() });
    if (changed === "session ended") throw fail("INVALID_TOKEN");
    // Not a new session: that would need the second factor.
    return { user: userView(changed, await tokens.issue(changed, signedInAt)) };
  },
});
