import { callbackUrl } from "../../../lib/providers/callback.ts";
import { discover } from "../../../lib/providers/oidc.ts";
import * as providers from "../../../lib/providers/providers.ts";
import { newId } from "../../../lib/values/ids.ts";
import { forgetProviders } from "./forget.ts";
import { CLIENT, serveProvider } from "./serve.ts";

const USUAL = {
  name: "Local provider",
  scopes: ["openid", "email", "profile"],
  claims: { email: "email", emailVerified: "email_verified", name: "name" },
  staff: false,
  enabled: true,
  version: 1,
};

/** Serves the provider for development, and lets people sign in by it. Returns its address and how to end it. */
export async function startProvider(port: number): Promise<{ issuer: string; close: () => void }> {
  const provider = await serveProvider(port, callbackUrl());
  const { issuer } = provider;
  await forgetProviders(issuer);
  const isKnown = (await providers.all()).some((each) => each.issuer === issuer);
  if (isKnown) return provider;
  // As after a test: it is this code that would pass.
  const tested = { endpoints: await discover(issuer), testedAt: Date.now() };
  const outcome = await providers.add({ ...USUAL, ...CLIENT, ...tested, providerId: newId(), issuer });
  if (outcome === "too many") console.warn("The site has 10 sign-in providers: delete one to use the local one");
  return provider;
}
