import * as z from "zod/mini";
import * as site from "../../lib/accounts/site.ts";
import * as users from "../../lib/accounts/users.ts";
import * as passwords from "../../lib/auth/passwords.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Email, TriedPassword } from "../../lib/http/account-inputs.ts";
import { openSession } from "../../lib/http/entering.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { User } from "../../lib/http/resources/accounts.ts";
import { likedLanguage } from "../../lib/mail/language.ts";

/**
 * Signs in. An unknown address and a wrong password get the same answer, after the same time. Suspended accounts may
 * sign in and read. An account with a second factor gets TWO_FACTOR_NEEDED: POST /auth/two-factor. Where the owner has
 * switched passwords off, only the owner's own still signs in: all other calls get PASSWORD_NOT_ALLOWED, whatever the
 * address and the password.
 */
export const handler = defineEndpoint({
  name: "auth-log-in",
  route: "POST /auth/login",
  access: "public",
  request: z.object({ body: z.object({ email: Email, password: TriedPassword }) }),
  response: z.object({ user: User }),
  errors: ["EMAIL_INVALID", "PASSWORD_MISSING", "INCORRECT_PASSWORD", "PASSWORD_NOT_ALLOWED"],
  table: { SITE: ["get"], EMAIL: ["get"], USER: ["get", "update"], CREDENTIALS: ["get", "update"] },
  isFirstFactor: true,
  hashesPasswords: true,
  storesLanguage: true,
  readsSigningSecret: true,
  prefetch: async ({ body: { email } }) => {
    const [account, ofSite] = await Promise.all([users.findForLogin(email), site.find()]);
    return { account, ofSite };
  },
  limit: ({ body: { email } }, { network }) => limits.logIn(email, network),
  trace: ({ prefetched: { account } }) => ({ account: account?.user.userId }),
  handle: async ({ body: { email, password }, prefetched: { account, ofSite }, network, accepted, fail }) => {
    // Hashes as much for an unknown address, so that the time does not reveal whether it has an account.
    const stored = account?.credentials.passwordHash ?? passwords.hashOfNone;
    const { isRight, isOutdated } = await passwords.verify(password, stored);
    const takesPasswords = ofSite?.password ?? true;
    const isOfOwner = isRight && account?.user.role === "owner";
    if (!takesPasswords && !isOfOwner) throw fail("PASSWORD_NOT_ALLOWED");
    if (!account || !isRight) throw fail("INCORRECT_PASSWORD");
    await limits.loggedIn(email, network);
    const { user, credentials } = account;
    if (isOutdated) await users.rehash(user.userId, stored, await passwords.hash(password));
    // Both must be of the same version: one of them may have been read before a change, and one after it.
    const tokenVersion = Math.min(user.tokenVersion, credentials.tokenVersion);
    return { user: await openSession({ ...user, tokenVersion }, ofSite, { language: likedLanguage(accepted) }) };
  },
});
