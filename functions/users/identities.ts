import * as z from "zod/mini";
import * as identities from "../../lib/accounts/identities.ts";
import * as linking from "../../lib/auth/linking.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Identity, identityView } from "../../lib/http/resources/providers.ts";
import * as providers from "../../lib/providers/providers.ts";

/** Lists the sign-ins at providers that are linked to the caller's account, and says whether it has a password. */
export const handler = defineEndpoint({
  name: "users-identities",
  route: "GET /users/profile/identities",
  refusesKeys: true,
  response: z.object({ results: z.array(Identity), hasPassword: z.boolean() }),
  table: { IDENTITY: ["get"], CREDENTIALS: ["get"], PROVIDERS: ["query"] },
  prefetch: (_, userId) => Promise.all([providers.all(), linking.hasPassword(userId)]),
  handle: async ({ caller, prefetched: [all, hasPassword] }) => {
    const linked = await Promise.all((caller.identities ?? []).map(identities.find));
    const there = linked.filter((identity) => identity !== undefined);
    return { results: there.map((identity) => identityView(identity, all)), hasPassword };
  },
});
