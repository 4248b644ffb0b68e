import { createHash, timingSafeEqual } from "node:crypto";
import * as z from "zod/mini";
import * as site from "../../lib/accounts/site.ts";
import { NEW_ACCOUNT, nameFrom, newAccount, openAccount } from "../../lib/auth/accounts.ts";
import * as passwords from "../../lib/auth/passwords.ts";
import * as tokens from "../../lib/auth/tokens.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Email, PersonName } from "../../lib/http/account-inputs.ts";
import { optional } from "../../lib/http/inputs.ts";
import { Password } from "../../lib/http/new-password.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { User, userView } from "../../lib/http/resources/accounts.ts";
import { Line, Text } from "../../lib/http/text-inputs.ts";
import { languageOf, likedLanguage } from "../../lib/mail/language.ts";
import { environment } from "../../lib/runtime/environment.ts";
import { canSend } from "../../lib/runtime/mail.ts";
import { newId } from "../../lib/values/ids.ts";

/** Compares with SETUP_CODE_SHA256 in constant time; true without it. */
function isSetupCode(given = ""): boolean {
  const { SETUP_CODE_SHA256: hash } = environment();
  return hash === undefined || timingSafeEqual(createHash("sha256").update(given).digest(), Buffer.from(hash, "hex"));
}

/**
 * Creates the owner's account, the site and its first board, once: docs/contract.md#set-up
 * The statuses get names in the language that the header Accept-Language likes best.
 * With `SETUP_CODE_SHA256`, `setupCode` must be the code with this hash; otherwise the answer is NOT_ENOUGH_PERMISSION.
 */
export const handler = defineEndpoint({
  name: "auth-set-up",
  route: "POST /auth/setup",
  contract: true,
  access: "public",
  requires: "mail or none",
  request: z.object({
    body: z.object({
      email: Email,
      password: Password,
      name: optional(PersonName),
      siteTitle: optional(Line(100)),
      setupCode: optional(Text),
    }),
  }),
  success: 201,
  response: z.object({ user: User }),
  errors: ["EMAIL_INVALID", "PASSWORD_MISSING", "SETUP_COMPLETED", "NOT_ENOUGH_PERMISSION", "USER_EXISTS"],
  table: { SITE: ["get", "put"], CATALOGUE: ["put"], BOARD_URL: ["put"], ...NEW_ACCOUNT, OUTBOX: ["put"] },
  hashesPasswords: true,
  storesLanguage: true,
  readsSigningSecret: true,
  asksSetupCode: true,
  // Checked before the password is hashed: after setup, a call costs one read and no hash.
  prefetch: () => site.find(),
  limit: (_, { network }) => limits.setUp(network),
  trace: ({ result }) => ({ account: result?.user.userId }),
  handle: async ({
    body: { email, password, name = nameFrom(email), siteTitle = "Feedback", setupCode },
    prefetched,
    accepted,
    fail,
  }) => {
    if (prefetched) throw fail("SETUP_COMPLETED");
    if (!isSetupCode(setupCode)) throw fail("NOT_ENOUGH_PERMISSION");
    const passwordHash = await passwords.hash(password);
    const mail = canSend() && "welcome";
    const options = { mail, language: languageOf(accepted) } as const;
    const { user, outcome } = await openAccount(
      () => newAccount(email, name, "owner", { language: likedLanguage(accepted) }),
      (owner) => site.setUp(siteTitle, owner, passwordHash, site.firstBoard(newId()), options),
    );
    if (outcome === "set up before") throw fail("SETUP_COMPLETED");
    if (outcome === "email taken") throw fail("USER_EXISTS");
    return { user: userView(user, await tokens.issue(user)) };
  },
});
