import * as z from "zod/mini";
import type { LinkedIdentity } from "../../accounts/identities.ts";
import { Fault, ProviderDown, reasonCodes } from "../../providers/faults.ts";
import { isLive, type ProviderRecord } from "../../providers/providers.ts";
import { createdAt } from "../../values/ids.ts";

/** The names of the claims that say who a person is. */
export const ClaimNames = z.object({ email: z.string(), emailVerified: z.string(), name: z.string() });

/** A sign-in provider as the owner manages it, without its secret. */
export const Provider = z.object({
  providerId: z.string(),
  name: z.string(),
  issuer: z.string(),
  clientId: z.string(),
  scopes: z.array(z.string()),
  claims: ClaimNames,
  staff: z.boolean(),
  enabled: z.boolean(),
  live: z.boolean(),
  testedAt: z.nullable(z.string()),
  authorizationUrl: z.nullable(z.string()),
  createdAt: z.string(),
});
export type Provider = z.infer<typeof Provider>;

export function providerView(provider: ProviderRecord): Provider {
  const { providerId, endpoints, testedAt, version: _, ...shown } = provider;
  return {
    ...shown,
    providerId,
    live: isLive(provider),
    testedAt: testedAt === undefined ? null : new Date(testedAt).toISOString(),
    authorizationUrl: endpoints?.authorizationUrl ?? null,
    createdAt: createdAt(providerId),
  };
}

/** A provider for a sign-in page. */
export const SignInProvider = z.object({
  id: z.string(),
  name: z.string(),
  issuer: z.string(),
  authorizationUrl: z.string(),
  clientId: z.string(),
  scopes: z.array(z.string()),
});
export type SignInProvider = z.infer<typeof SignInProvider>;

/** The providers that people may sign in by. */
export function signInProviders(providers: ProviderRecord[]): SignInProvider[] {
  return providers.filter(isLive).flatMap(({ providerId, name, issuer, endpoints, clientId, scopes }) => {
    if (!endpoints) return [];
    return [{ id: providerId, name, issuer, authorizationUrl: endpoints.authorizationUrl, clientId, scopes }];
  });
}

/** A person whom a provider vouches for. */
export const SignedInPerson = z.object({
  subject: z.string(),
  email: z.nullable(z.string()),
  emailVerified: z.boolean(),
  name: z.nullable(z.string()),
});

/** How far a test came, and why no further. */
export const ProviderTest = z.object({
  stage: z.enum(["discovery", "sign-in"]),
  passed: z.boolean(),
  reason: z.nullable(z.string()),
  reasonCode: z.nullable(z.enum(reasonCodes)),
  person: z.nullable(SignedInPerson),
});
export type ProviderTest = z.infer<typeof ProviderTest>;

/** A test that a provider let fail. Throws an error of another kind. */
export function failedTest(stage: ProviderTest["stage"], error: unknown): ProviderTest {
  if (!(error instanceof Fault || error instanceof ProviderDown)) throw error;
  return { stage, passed: false, reason: error.message, reasonCode: error.code, person: null };
}

/** A sign-in at a provider that is linked to the caller's account. */
export const Identity = z.object({
  identityId: z.string(),
  issuer: z.string(),
  provider: z.nullable(z.string()),
  linkedAt: z.string(),
});
export type Identity = z.infer<typeof Identity>;

export function identityView({ identityId, issuer, linkedAt }: LinkedIdentity, providers: ProviderRecord[]): Identity {
  const provider = providers.find((each) => each.issuer === issuer)?.name ?? null;
  return { identityId, issuer, provider, linkedAt: new Date(linkedAt).toISOString() };
}
