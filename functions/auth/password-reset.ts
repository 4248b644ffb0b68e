import * as z from "zod/mini";
import * as outbox from "../../lib/accounts/outbox.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Email } from "../../lib/http/account-inputs.ts";
import { optional } from "../../lib/http/inputs.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { Success } from "../../lib/http/resources/answers.ts";
import { queryOf, Wanted } from "../../lib/http/wanted.ts";
import { likedLanguage } from "../../lib/mail/language.ts";

const Asking = z.object({
  email: Email,
  /** What the visitor wanted to do on a post, to which the page of the link then leads. */
  wants: optional(Wanted),
});

/**
 * Mails a link that sets a new password. The link is `<siteUrl>/password-reset/confirm?token=`. Its token works once,
 * for two hours, and is never a bearer token. An address without an account gets no mail, but the answer is the same.
 * `wants` adds `&wants=<does>&post=<postId>`.
 */
export const handler = defineEndpoint({
  name: "auth-password-reset",
  route: "POST /auth/password/reset",
  access: "public",
  requires: "mail",
  request: z.object({ body: Asking }),
  response: z.object({ reset: Success }),
  errors: ["EMAIL_INVALID"],
  table: { OUTBOX: ["put"] },
  storesLanguage: true,
  limit: ({ body: { email } }, { network }) => limits.mail(email, network),
  handle: async ({ body: { email, wants }, network, accepted }) => {
    const isKnown = await limits.isKnown(email, network);
    const language = likedLanguage(accepted);
    await outbox.add({ to: email, template: "reset", isKnown, query: queryOf(wants), language });
    return { reset: { success: true } };
  },
});
