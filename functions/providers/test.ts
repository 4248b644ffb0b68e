import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { assertedOf } from "../../lib/http/asserted.ts";
import { ProviderId } from "../../lib/http/id-inputs.ts";
import { optional } from "../../lib/http/inputs.ts";
import { Returned } from "../../lib/http/provider-inputs.ts";
import { providerTest } from "../../lib/http/rate-limits.ts";
import { failedTest, Provider, ProviderTest, providerView } from "../../lib/http/resources/providers.ts";
import { Fault } from "../../lib/providers/faults.ts";
import { discover, identify, type Return } from "../../lib/providers/oidc.ts";
import {
  type Endpoints,
  findWithSecret,
  note,
  type ProviderRecord,
  type ProviderWithSecret,
} from "../../lib/providers/providers.ts";

type Tested = { provider: ProviderRecord; test: ProviderTest };

type Found = { endpoints: Endpoints } | { testedAt: number };

/** Does one part of a test. Returns what it found of the provider, and of the person. */
async function carryOut(
  stage: ProviderTest["stage"],
  provider: ProviderWithSecret,
  part: () => Promise<{ found: Found; person: ProviderTest["person"] }>,
): Promise<Tested> {
  try {
    const { found, person } = await part();
    const noted = await note(provider, found);
    if (noted === "changed meanwhile") throw new Fault("CHANGED");
    return { provider: noted, test: { stage, passed: true, reason: null, reasonCode: null, person } };
  } catch (error) {
    return { provider, test: failedTest(stage, error) };
  }
}

function readDiscovery(provider: ProviderWithSecret): Promise<Tested> {
  return carryOut("discovery", provider, async () => ({
    found: { endpoints: await discover(provider.issuer) },
    person: null,
  }));
}

function trySignIn(provider: ProviderWithSecret, brought: Return): Promise<Tested> {
  return carryOut("sign-in", provider, async () => {
    const asserted = assertedOf(await identify(provider, brought), provider);
    const { subject, email = null, emailVerified, name = null } = asserted;
    return { found: { testedAt: Date.now() }, person: { subject, email, emailVerified, name } };
  });
}

/**
 * Tests a sign-in provider, in two calls. The first one, without `returned`, reads the discovery document: then the
 * provider has its `authorizationUrl`. The page goes there as at a sign-in, and the second call takes what came back as
 * POST /auth/oidc/{providerId} does, by the same code. If it passes, the provider is live; nobody is signed in.
 */
export const handler = defineEndpoint({
  name: "providers-test",
  route: "POST /providers/{providerId}/test",
  permission: "settings:update",
  refusesKeys: true,
  callsProviders: true,
  request: z.object({
    params: z.object({ providerId: ProviderId }),
    body: z.object({ returned: optional(Returned) }),
  }),
  response: z.object({ provider: Provider, test: ProviderTest }),
  errors: ["PROVIDER_NOT_FOUND"],
  table: { PROVIDERS: ["get", "update"], PROVIDER_SECRETS: ["get"] },
  limit: (_, { account }) => providerTest(account),
  prefetch: ({ params: { providerId } }) => findWithSecret(providerId),
  audit: "provider.tested",
  trace: ({ params: { providerId } }) => ({ item: providerId }),
  handle: async ({ body: { returned }, prefetched, fail }) => {
    if (!prefetched) throw fail("PROVIDER_NOT_FOUND");
    const { provider, test } = await (returned ? trySignIn(prefetched, returned) : readDiscovery(prefetched));
    return { provider: providerView(provider), test };
  },
});
