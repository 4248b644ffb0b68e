import * as z from "zod/mini";
import * as twoFactor from "../../lib/accounts/two-factor.ts";
import type * as users from "../../lib/accounts/users.ts";
import { accountOf, proofOf } from "../../lib/auth/second-factor.ts";
import { stepOf } from "../../lib/auth/totp.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { enter } from "../../lib/http/entering.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { User } from "../../lib/http/resources/accounts.ts";
import { Text } from "../../lib/http/text-inputs.ts";
import { likedLanguage } from "../../lib/mail/language.ts";
import { canSend } from "../../lib/runtime/mail.ts";
import { readCode } from "../../lib/values/codes.ts";

type Opened = { account: users.UserRecord; recoveryCodes?: string[] };

async function useCode(account: users.UserRecord, factor: twoFactor.TwoFactor, code: string) {
  const proof = proofOf(code, account.userId, factor);
  const outcome = proof ? await twoFactor.use(account, proof, { sendsMail: canSend() }) : "not good";
  return outcome === "used" ? { account } : "wrong code";
}

async function switchOn(account: users.UserRecord, { secret }: { secret: string }, code: string) {
  const step = stepOf(readCode(code), twoFactor.bytesOf({ secret }), 0, Date.now());
  if (step === undefined) return "wrong code";
  const outcome = await twoFactor.switchOn(account, secret, step, { sendsMail: canSend() });
  if (typeof outcome === "string") return outcome;
  return { account: { ...account, tokenVersion: account.tokenVersion + 1 }, recoveryCodes: outcome };
}

/**
 * Signs in by the second factor: a code of the app, or a recovery code, each of which works once. The `challenge` comes
 * with TWO_FACTOR_NEEDED. If the account has no second factor yet, the first code of the app that POST
 * /auth/two-factor/enrol has begun switches it on: then all other sessions of the account end, and the answer has ten
 * recovery codes, once.
 */
export const handler = defineEndpoint({
  name: "auth-two-factor",
  route: "POST /auth/two-factor",
  access: "public",
  request: z.object({ body: z.object({ challenge: Text, code: Text }) }),
  response: z.object({ user: User, recoveryCodes: z.optional(z.array(z.string())) }),
  errors: ["INVALID_TOKEN", "INCORRECT_CODE", "TWO_FACTOR_ON"],
  table: {
    USER: ["get", "update"],
    CREDENTIALS: ["update"],
    TWO_FACTOR: ["get", "put", "update", "delete"],
    OUTBOX: ["put"],
  },
  storesLanguage: true,
  readsSigningSecret: true,
  prefetch: ({ body: { challenge } }) => accountOf(challenge),
  limit: (_, { network }) => limits.secondFactor(network),
  trace: ({ prefetched }) => ({ account: prefetched?.userId }),
  handle: async ({ body: { code }, prefetched: account, network, accepted, fail }) => {
    if (!account) throw fail("INVALID_TOKEN");
    const { userId } = account;
    const [factor, enrolment] = await Promise.all([twoFactor.find(userId), twoFactor.findEnrolment(userId)]);
    if (!factor && !enrolment) throw fail("INVALID_TOKEN");
    await limits.countCode(userId, network);
    const opened: Opened | string = factor
      ? await useCode(account, factor, code)
      : await switchOn(account, enrolment as { secret: string }, code);
    if (opened === "wrong code") throw fail("INCORRECT_CODE");
    if (opened === "is on") throw fail("TWO_FACTOR_ON");
    if (typeof opened === "string") throw fail("INVALID_TOKEN");
    await limits.codeAccepted(userId, network);
    const { recoveryCodes } = opened;
    const user = await enter(opened.account, likedLanguage(accepted));
    return { user, ...(recoveryCodes && { recoveryCodes }) };
  },
});
