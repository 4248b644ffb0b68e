import * as z from "zod/mini";
import { FIRST_COLOR, firstSteps, type Site } from "../../accounts/site.ts";
import { callbackUrl } from "../../providers/callback.ts";
import type { ProviderRecord } from "../../providers/providers.ts";
import { environment } from "../../runtime/environment.ts";
import { canSend } from "../../runtime/mail.ts";
import { SignInProvider, signInProviders } from "./providers.ts";

/** Features that the owner can switch on. */
export const Labs = z.object({ voteOnBehalf: z.boolean() });
export type Labs = z.infer<typeof Labs>;

export function labsView({ voteOnBehalf = false }: Partial<Site> = {}): Labs {
  return { voteOnBehalf };
}

/** Name, look and rules of the site. */
export const SiteSettings = z.object({
  title: z.string(),
  description: z.nullable(z.string()),
  logo: z.nullable(z.string()),
  icon: z.nullable(z.string()),
  accentColor: z.string(),
  allowSignup: z.boolean(),
  signupDomains: z.array(z.string()),
  password: z.boolean(),
  magic: z.boolean(),
  requireTwoFactor: z.boolean(),
  sendsMail: z.boolean(),
  requiresVerified: z.boolean(),
  googleAnalyticsId: z.nullable(z.string()),
  isPoweredBy: z.boolean(),
  developer_mode: z.boolean(),
  firstSteps: z.array(z.enum(firstSteps)),
  labs: Labs,
});
export type SiteSettings = z.infer<typeof SiteSettings>;

/** Before setup, the defaults. A site without an icon shows its logo. */
export function siteSettingsView(site: Partial<Site> = {}): SiteSettings {
  return {
    title: site.title ?? "Feedback",
    description: site.description ?? null,
    logo: site.logo ?? null,
    icon: site.icon ?? site.logo ?? null,
    accentColor: site.accentColor ?? FIRST_COLOR,
    allowSignup: site.allowSignup ?? true,
    signupDomains: site.signupDomains ?? [],
    password: site.password ?? true,
    magic: site.magic ?? true,
    requireTwoFactor: site.requireTwoFactor ?? false,
    sendsMail: canSend(),
    requiresVerified: environment().REQUIRE_VERIFIED,
    googleAnalyticsId: site.googleAnalyticsId ?? null,
    isPoweredBy: true,
    developer_mode: site.developerMode ?? false,
    firstSteps: site.firstSteps ?? [],
    labs: labsView(site),
  };
}

/** The ways to sign in. */
export const SignInWays = z.object({
  password: z.boolean(),
  magic: z.boolean(),
  providers: z.array(SignInProvider),
  sso: z.boolean(),
  callbackUrl: z.string(),
});
export type SignInWays = z.infer<typeof SignInWays>;

/** A mail needs a site that sends mails. Providers lead back to `callbackUrl`. */
export function signInWaysView(
  { password = true, magic = true, ssoSince }: Partial<Site> = {},
  providers: ProviderRecord[] = [],
): SignInWays {
  return {
    password,
    magic: magic && canSend(),
    providers: signInProviders(providers),
    sso: ssoSince !== undefined,
    callbackUrl: callbackUrl(),
  };
}
