import * as z from "zod/mini";
import * as outbox from "../../lib/accounts/outbox.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Email } from "../../lib/http/account-inputs.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { Success } from "../../lib/http/resources/answers.ts";
import { likedLanguage } from "../../lib/mail/language.ts";

/**
 * Mails a link that sets a new password. The link is `<siteUrl>/password-reset/confirm?token=`. Its token works once,
 * for two hours, and is never a bearer token. An address without an account gets no mail, but the answer is the same.
 */
export const handler = defineEndpoint({
  name: "auth-password-reset",
  route: "POST /auth/password/reset",
  access: "public",
  requires: "mail",
  request: z.object({ body: z.object({ email: Email }) }),
  response: z.object({ reset: Success }),
  errors: ["EMAIL_INVALID"],
  table: { OUTBOX: ["put"] },
  storesLanguage: true,
  limit: ({ body: { email } }, { network }) => limits.mail(email, network),
  handle: async ({ body: { email }, network, accepted }) => {
    const isKnown = await limits.isKnown(email, network);
    await outbox.add({ to: email, template: "reset", isKnown, language: likedLanguage(accepted) });
    return { reset: { success: true } };
  },
});
