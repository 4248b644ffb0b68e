import * as z from "zod/mini";
import { register } from "../../lib/accounts/new-users.ts";
import { NEW_ACCOUNT, nameFrom, newAccount, openAccount } from "../../lib/auth/accounts.ts";
import * as passwords from "../../lib/auth/passwords.ts";
import * as tokens from "../../lib/auth/tokens.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Email, PersonName } from "../../lib/http/account-inputs.ts";
import { optional } from "../../lib/http/inputs.ts";
import { Password } from "../../lib/http/new-password.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { User, userView } from "../../lib/http/resources/accounts.ts";
import { queryOf, Wanted } from "../../lib/http/wanted.ts";
import { likedLanguage } from "../../lib/mail/language.ts";
import { canSend } from "../../lib/runtime/mail.ts";

const SigningUp = z.object({
  email: Email,
  password: Password,
  name: optional(PersonName),
  /** What the visitor wanted to do on a post, to which the page of the link then leads. */
  wants: optional(Wanted),
});

/**
 * Creates an account and signs it in: docs/contract.md#sign-up
 * Addresses are case-insensitive; each has one account. A welcome mail follows, if the site sends mails; `wants` adds
 * `&wants=<does>&post=<postId>` to its link.
 */
export const handler = defineEndpoint({
  name: "auth-sign-up",
  route: "POST /auth/signup",
  contract: true,
  access: "public",
  requires: "mail or none",
  request: z.object({ body: SigningUp }),
  success: 201,
  response: z.object({ user: User }),
  errors: ["EMAIL_INVALID", "PASSWORD_MISSING", "SIGNUP_NOT_ALLOWED", "USER_EXISTS"],
  table: { ...NEW_ACCOUNT, OUTBOX: ["put"] },
  hashesPasswords: true,
  storesLanguage: true,
  readsSigningSecret: true,
  limit: ({ body: { email } }, { network }) => limits.signUp(email, network),
  trace: ({ result }) => ({ account: result?.user.userId }),
  handle: async ({ body: { email, password, name = nameFrom(email), wants }, accepted, fail }) => {
    const passwordHash = await passwords.hash(password);
    const { user, outcome } = await openAccount(
      () => newAccount(email, name, "member", { language: likedLanguage(accepted) }),
      (account) => register(account, passwordHash, { mail: canSend() && "welcome", query: queryOf(wants) }),
    );
    if (outcome === "signup closed") throw fail("SIGNUP_NOT_ALLOWED");
    if (outcome === "email taken") throw fail("USER_EXISTS");
    return { user: userView(user, await tokens.issue(user)) };
  },
});
