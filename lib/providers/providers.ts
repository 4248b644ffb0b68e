import * as z from "zod/mini";
import { setFields, stillHas } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { create, type Part, put, remove as removePart, update } from "../table/parts.ts";
import { range } from "../table/ranges.ts";
import { get, getRange } from "../table/reads.ts";
import { transact } from "../table/transactions.ts";

// The providers of OpenID Connect that the owner lets people sign in by. A secret is an item of another family, which
// only the functions that sign in may read.

/** Where a provider is reached, as its discovery document says, and how we prove who we are. */
const Endpoints = z.object({
  authorizationUrl: z.string(),
  tokenUrl: z.string(),
  keysUrl: z.string(),
  authentication: z.enum(["client_secret_basic", "client_secret_post"]),
});
export type Endpoints = z.infer<typeof Endpoints>;

/** The names of the claims that say who a person is. */
const Claims = z.object({ email: z.string(), emailVerified: z.string(), name: z.string() });

export const ProviderItem = z.pipe(
  z.object({
    sk: z.string(),
    name: z.string(),
    issuer: z.string(),
    clientId: z.string(),
    scopes: z.array(z.string()),
    claims: Claims,
    // Whether the owner and moderators may sign in by it.
    staff: z.boolean(),
    enabled: z.boolean(),
    // Of the last test; absent before the first.
    endpoints: z.optional(Endpoints),
    // When a sign-in of the owner succeeded by what is stored now, in milliseconds since 1970.
    testedAt: z.optional(z.number()),
    // Increases with every change of what a test tries, so that a test counts for what it tried.
    version: z.number(),
  }),
  z.transform(({ sk, ...provider }) => ({ providerId: sk, ...provider })),
);
export type ProviderRecord = z.output<typeof ProviderItem>;

export const ProviderSecretItem = z.object({ clientSecret: z.string() });

export const ProviderCountItem = z.object({ providers: z.number() });

export const MAX_PROVIDERS = 10;

/** Whether people may sign in by a provider. */
export function isLive({ enabled, testedAt }: ProviderRecord): boolean {
  return enabled && testedAt !== undefined;
}

export function all(): Promise<ProviderRecord[]> {
  return getRange(range.providers(), ProviderItem);
}

export function find(providerId: string): Promise<ProviderRecord | undefined> {
  return get(key.provider(providerId), ProviderItem);
}

/** A provider with its secret. */
export type ProviderWithSecret = ProviderRecord & { clientSecret: string };

export async function findWithSecret(providerId: string): Promise<ProviderWithSecret | undefined> {
  const [provider, secret] = await Promise.all([
    find(providerId),
    get(key.providerSecret(providerId), ProviderSecretItem),
  ]);
  return provider && secret && { ...provider, ...secret };
}

export async function add(
  { providerId, clientSecret, ...item }: ProviderWithSecret,
  idempotency?: Part,
): Promise<"added" | "too many"> {
  const outcome = await transact({
    provider: create(key.provider(providerId), item),
    secret: create(key.providerSecret(providerId), { clientSecret }),
    count: update(key.providerCount(), "ADD providers :one", {
      if: "attribute_not_exists(pk) OR providers < :most",
      values: { ":one": 1, ":most": MAX_PROVIDERS },
    }),
    idempotency,
  });
  return outcome.done ? "added" : "too many";
}

/** A change by the owner. */
export type ProviderChange = Partial<
  Pick<ProviderWithSecret, "name" | "issuer" | "clientId" | "clientSecret" | "scopes" | "claims" | "staff" | "enabled">
>;

/** Whether a provider has to be tested again after a change. */
function changesSignIn({ name: _, staff: __, enabled: ___, ...tried }: ProviderChange): boolean {
  return Object.values(tried).some((value) => value !== undefined);
}

/** Changes a provider as it was read. If the change concerns what a sign-in sends, it is not live until a test. */
export async function change(
  provider: ProviderRecord,
  { clientSecret, ...fields }: ProviderChange,
): Promise<ProviderRecord | "changed meanwhile"> {
  const { providerId, version } = provider;
  if (Object.keys(fields).length === 0 && clientSecret === undefined) return provider;
  const untested = changesSignIn({ ...fields, ...(clientSecret !== undefined && { clientSecret }) });
  const next = { ...fields, ...(untested && { version: version + 1, testedAt: undefined, endpoints: undefined }) };
  const outcome = await transact({
    provider: setFields(key.provider(providerId), next, stillHas({ version })),
    secret: clientSecret !== undefined && put(key.providerSecret(providerId), { clientSecret }),
  });
  return outcome.done ? { ...provider, ...next } : "changed meanwhile";
}

/** Deletes a provider with its secret. Accounts keep their identities, and their sessions. */
export async function remove(providerId: string): Promise<"removed" | "no such provider"> {
  const outcome = await transact({
    provider: removePart(key.provider(providerId), { if: "attribute_exists(pk)" }),
    secret: removePart(key.providerSecret(providerId)),
    count: update(key.providerCount(), "ADD providers :less", { values: { ":less": -1 } }),
  });
  return outcome.done ? "removed" : "no such provider";
}

/** Notes what a test has found of a provider, as it was read. Other endpoints than before have to be tried. */
export async function note(
  provider: ProviderRecord,
  found: { endpoints: Endpoints } | { testedAt: number },
): Promise<ProviderRecord | "changed meanwhile"> {
  const { providerId, version } = provider;
  const areNew = "endpoints" in found && JSON.stringify(found.endpoints) !== JSON.stringify(provider.endpoints);
  const fields = { ...found, ...(areNew && { version: version + 1, testedAt: undefined }) };
  const outcome = await transact({
    provider: setFields(key.provider(providerId), fields, stillHas({ version })),
  });
  return outcome.done ? { ...provider, ...fields } : "changed meanwhile";
}
