import * as z from "zod/mini";
import * as signInMails from "../../lib/accounts/sign-in-mails.ts";
import * as site from "../../lib/accounts/site.ts";
import * as users from "../../lib/accounts/users.ts";
import { NEW_ACCOUNT, newAccount, openAccount } from "../../lib/auth/accounts.ts";
import * as passwords from "../../lib/auth/passwords.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Email } from "../../lib/http/account-inputs.ts";
import { openSession } from "../../lib/http/entering.ts";
import { optional } from "../../lib/http/inputs.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { User } from "../../lib/http/resources/accounts.ts";
import { Text } from "../../lib/http/text-inputs.ts";
import { likedLanguage } from "../../lib/mail/language.ts";
import { invalid } from "../../lib/runtime/errors.ts";
import { replanned } from "../../lib/table/retries.ts";

const Proof = z.object({
  token: optional(Text),
  /** The address that the mail went to, with its code. */
  email: optional(Email),
  /** The eight letters and digits of the mail, in capitals or not, with blanks or without. */
  code: optional(Text),
});

async function find({ token, email, code }: z.output<typeof Proof>): Promise<signInMails.SignIn | undefined> {
  if (token !== undefined) return signInMails.findByToken(token);
  if (email !== undefined && code !== undefined) return signInMails.findByCode(email, code);
  throw invalid("body", "custom", "Must have a token, or an email and a code");
}

async function accountOf(email: string): Promise<users.UserWithKeys | undefined> {
  const userId = await users.idOf(email);
  return userId === undefined ? undefined : users.findWithKeys(userId);
}

/**
 * Signs in by the link or the code of a mail. The link's `token` or `email` with `code` are needed, and any browser may
 * send them. This confirms the address. The first sign-in of an address makes its account, if signup is open, and
 * counts as a signup. An account whose address was never confirmed loses its password, its sessions and its API keys: a
 * stranger may have made it. A confirmed account with a second factor gets TWO_FACTOR_NEEDED: POST /auth/two-factor.
 * Suspended accounts may sign in and read. A code has five tries. If another network or browser asked for the mail, a
 * further mail tells of the sign-in.
 */
export const handler = defineEndpoint({
  name: "auth-magic-verify",
  route: "POST /auth/magic/verify",
  access: "public",
  requires: "mail",
  request: z.object({ body: Proof }),
  response: z.object({ user: User }),
  errors: ["EMAIL_INVALID", "MAGIC_NOT_ALLOWED", "INVALID_TOKEN", "INCORRECT_CODE", "SIGNUP_NOT_ALLOWED"],
  table: {
    ...NEW_ACCOUNT,
    OUTBOX: ["put"],
    SITE: ["get"],
    MAIL_TOKEN: ["get", "delete"],
    SIGN_IN_CODE: ["get", "update"],
    EMAIL: ["get", "put"],
    USER: ["get", "put", "update", "check"],
    CREDENTIALS: ["put", "update"],
    TWO_FACTOR: ["delete"],
    API_KEYS: ["query", "delete"],
    IDENTITY: ["delete"],
  },
  isFirstFactor: true,
  storesLanguage: true,
  readsSigningSecret: true,
  prefetch: () => site.find(),
  limit: ({ body }, { network }) => limits.signInByMail(body.email ?? body.token ?? "", network),
  trace: ({ result }) => ({ account: result?.user.userId }),
  handle: async ({ body, prefetched, network, browser, accepted, fail }) => {
    if (prefetched?.magic === false) throw fail("MAGIC_NOT_ALLOWED");
    const refusal = () => (body.token === undefined ? fail("INCORRECT_CODE") : fail("INVALID_TOKEN"));
    const signIn = await find(body);
    if (!signIn) throw refusal();
    const { email } = signIn;
    const language = likedLanguage(accepted);
    const from = { browser, isElsewhere: signIn.askedFrom !== signInMails.askedFrom(network, browser) };
    const signUp = async () => {
      await limits.countSignUp(email, network);
      const { user, outcome } = await openAccount(
        () => newAccount(email, undefined, "member", { language }),
        (account) => signInMails.signUp(signIn, account, from, passwords.hashOfNone),
      );
      return outcome === "signed up" ? user : outcome;
    };
    const outcome = await replanned(
      await accountOf(email),
      () => accountOf(email),
      (account) => (account ? signInMails.enter(signIn, account, from, passwords.hashOfNone) : signUp()),
    );
    if (outcome === "signup closed") throw fail("SIGNUP_NOT_ALLOWED");
    if (outcome === "not good") throw refusal();
    await limits.provedMailbox(email, network);
    return { user: await openSession(outcome, prefetched, { language }) };
  },
});
