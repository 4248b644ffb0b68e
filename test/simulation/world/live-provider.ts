import { PROVIDER, returnedFor } from "./sign-in-provider.ts";
import type { World } from "./world.ts";

/** Lets the owner, by their token, add the provider and test it. Returns its id. */
export async function liveProvider({ must }: World, token: string): Promise<string> {
  const { provider } = await must("providers-create", { token, body: PROVIDER });
  const params = { providerId: provider.providerId };
  await must("providers-test", { token, params, body: {} });
  const returned = returnedFor({ sub: "owner", email: "owner@example.com" });
  await must("providers-test", { token, params, body: { returned } });
  return provider.providerId;
}
