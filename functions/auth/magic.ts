import * as z from "zod/mini";
import * as outbox from "../../lib/accounts/outbox.ts";
import { askedFrom } from "../../lib/accounts/sign-in-mails.ts";
import * as site from "../../lib/accounts/site.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Email } from "../../lib/http/account-inputs.ts";
import { optional } from "../../lib/http/inputs.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { Success } from "../../lib/http/resources/answers.ts";
import { queryOf, Wanted } from "../../lib/http/wanted.ts";
import { likedLanguage } from "../../lib/mail/language.ts";

const Asking = z.object({
  email: Email,
  /** What the visitor wanted to do on a post: the page of the link leads there, for a press of its button. */
  wants: optional(Wanted),
});

/**
 * Mails a link and a code that sign in. The link is `<siteUrl>/sign-in/link?token=`. Link and code work once
 * together, for 15 minutes. The answer is the same whether or not the address has an account; one without an account
 * gets a mail only while signup is open. With `wants` the link also has `&wants=<does>&post=<postId>`; nobody looks
 * whether there is such a post.
 */
export const handler = defineEndpoint({
  name: "auth-magic",
  route: "POST /auth/magic",
  access: "public",
  requires: "mail",
  request: z.object({ body: Asking }),
  response: z.object({ magic: Success }),
  errors: ["EMAIL_INVALID", "MAGIC_NOT_ALLOWED"],
  table: { SITE: ["get"], OUTBOX: ["put"] },
  storesLanguage: true,
  prefetch: () => site.find(),
  limit: ({ body: { email } }, { network }) => limits.signInMail(email, network),
  handle: async ({ body: { email, wants }, prefetched, network, browser, accepted, fail }) => {
    if (prefetched?.magic === false) throw fail("MAGIC_NOT_ALLOWED");
    // Whether the address has an account is not asked here, but by the work that sends the mail (send-mail.ts).
    const isKnown = await limits.isKnown(email, network);
    const asking = { browser, askedFrom: askedFrom(network, browser), language: likedLanguage(accepted) };
    await outbox.add({ to: email, template: "sign-in", isKnown, query: queryOf(wants), ...asking });
    return { magic: { success: true } };
  },
});
