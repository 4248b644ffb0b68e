import * as z from "zod/mini";
import * as outbox from "../../lib/accounts/outbox.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { Success } from "../../lib/http/resources/answers.ts";

/**
 * Mails the caller a link that confirms the address. A confirmed address gets no mail. The link is
 * `<siteUrl>/email-verify?token=`. Its token works once, for two hours, and is never a bearer token.
 */
export const handler = defineEndpoint({
  name: "auth-email-verify",
  route: "POST /auth/email/verify",
  refusesKeys: true,
  requires: "mail",
  response: z.object({ verify: Success }),
  table: { OUTBOX: ["put"] },
  limit: (_, { network, account }) => limits.mail(account, network),
  handle: async ({ caller: { userId, email, isVerified } }) => {
    if (!isVerified) await outbox.add({ to: email, userId, template: "verify" });
    return { verify: { success: true } };
  },
});
