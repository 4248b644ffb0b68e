import * as z from "zod/mini";
import * as site from "../../lib/accounts/site.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Domains } from "../../lib/http/account-inputs.ts";
import { changeIn, optional, toldIn } from "../../lib/http/inputs.ts";
import { tagOf } from "../../lib/http/preconditions.ts";
import { SiteSettings, signInWaysView, siteSettingsView } from "../../lib/http/resources/site.ts";
import { Color, Line, removable, TextUpTo, WebAddress } from "../../lib/http/text-inputs.ts";
import * as providers from "../../lib/providers/providers.ts";
import { changeStored } from "../../lib/table/retries.ts";

// Like G-ABC123: clients put it into the address of a script.
const AnalyticsId = z.string().check(z.regex(/^[A-Za-z0-9-]{1,50}$/, "Must be 1 to 50 letters, digits and hyphens"));

const FirstSteps = z
  .array(z.enum(site.firstSteps))
  .check(z.refine((steps) => new Set(steps).size === steps.length, "Must name a step once"));

const body = z.object({
  title: optional(Line(100)),
  description: removable(TextUpTo(500)),
  logo: removable(WebAddress),
  icon: removable(WebAddress),
  accentColor: optional(Color),
  allowSignup: optional(z.boolean()),
  signupDomains: optional(Domains),
  password: optional(z.boolean()),
  magic: optional(z.boolean()),
  requireTwoFactor: optional(z.boolean()),
  googleAnalyticsId: removable(AnalyticsId),
  developer_mode: optional(z.boolean()),
  firstSteps: optional(FirstSteps),
});

function changeOf({ developer_mode: developerMode, ...fields }: z.output<typeof body>): site.SiteChange {
  return changeIn({ ...fields, developerMode });
}

function hasWayIn(ofSite: site.Site, all: providers.ProviderRecord[]): boolean {
  const { password, magic, sso, providers: live } = signInWaysView(ofSite, all);
  return password || magic || sso || live.length > 0;
}

/**
 * Changes name, look and rules of the site. An absent field stays as it is. Null or an empty string removes
 * `description`, `logo`, `icon` and `googleAnalyticsId`. A site without an icon shows its logo. Signing in and up:
 * docs/sign-in.md#settings. NO_WAY_IN: people could not sign in any more. TWO_FACTOR_OFF: the owner requires a second
 * factor without one.
 */
export const handler = defineEndpoint({
  name: "settings-update",
  route: "PATCH /settings/site",
  permission: "settings:update",
  request: z.object({ body }),
  response: z.object({ settings: SiteSettings }),
  errors: ["NOT_ENOUGH_PERMISSION", "NO_WAY_IN", "TWO_FACTOR_OFF"],
  table: { SITE: ["get", "update"], PROVIDERS: ["query"], USER_COUNT: ["update"] },
  etagOf: ({ settings }) => tagOf(settings),
  prefetch: () => Promise.all([site.find(), providers.all()]),
  audit: "site.updated",
  trace: ({ body }) => ({ changed: toldIn(body) }),
  handle: async ({ body, caller, prefetched: [ofSite, all], fail, checkState }) => {
    // Otherwise the owner's next sign-in would ask for an app that is not at hand.
    if (body.requireTwoFactor && !caller.twoFactor) throw fail("TWO_FACTOR_OFF");
    const changed = await changeStored(ofSite, site.find, (asRead) => {
      checkState({ settings: siteSettingsView(asRead) });
      const change = changeOf(body);
      if (hasWayIn(asRead, all) && !hasWayIn({ ...asRead, ...change }, all)) throw fail("NO_WAY_IN");
      return site.change(asRead, change);
    });
    // Setup creates the owner together with the site: before setup no caller has the permission.
    if (!changed) throw fail("NOT_ENOUGH_PERMISSION");
    return { settings: siteSettingsView(changed) };
  },
});
