import * as providers from "../../../lib/providers/providers.ts";

/** The name of the service at the provider for development. */
export const CLIENT_ID = "feedback-board";

// By it anybody is who they say they are: a start without it must not offer it.
function isLocal({ clientId, issuer }: providers.ProviderRecord): boolean {
  return clientId === CLIENT_ID && issuer.startsWith("http://127.0.0.1:");
}

/** Takes the providers for development off a site that earlier starts have added; the one at an address stays. */
export async function forgetProviders(issuer?: string): Promise<void> {
  const forgotten = (await providers.all()).filter((each) => isLocal(each) && each.issuer !== issuer);
  for (const { providerId } of forgotten) await providers.remove(providerId);
}
