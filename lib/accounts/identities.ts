import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { setFields, stillHas, stored } from "../table/changes.ts";
import { type Key, key } from "../table/keys.ts";
import { create, type MaybePart, type Part, remove } from "../table/parts.ts";
import { get } from "../table/reads.ts";
import { transact } from "../table/transactions.ts";

// An identity is a person at a provider, who signs in to one account. The account lists the ids of its identities, so
// that each change of them is checked against the others.

export const IdentityItem = z.object({
  userId: z.string(),
  issuer: z.string(),
  // Milliseconds since 1970.
  linkedAt: z.number(),
});

/** The name that a provider has for a person: the claims `iss` and `sub` of OpenID Connect. */
export type Identity = { issuer: string; subject: string };

/** An identity that signs in to an account. */
export type LinkedIdentity = z.output<typeof IdentityItem> & { identityId: string };

export const MAX_IDENTITIES = 5;

// 128 bits: nobody finds a second issuer or subject with the same ones, and an account stays small.
function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

/** The id of an identity: it reveals neither issuer nor subject. */
export function idOf({ issuer, subject }: Identity): string {
  return `${hashOf(issuer)}-${hashOf(subject)}`;
}

function keyOf(identityId: string): Key {
  const [issuer = "", subject = ""] = identityId.split("-");
  return key.identity(issuer, subject);
}

/** Reads an identity by its id; undefined if it signs in to no account. */
export async function find(identityId: string): Promise<LinkedIdentity | undefined> {
  const item = await get(keyOf(identityId), IdentityItem);
  return item && { identityId, ...item };
}

/** Part: lets an identity sign in to an account. It fails if it signs in to one already. */
export function linkPart(identity: Identity, userId: string): Part {
  return create(keyOf(idOf(identity)), { userId, issuer: identity.issuer, linkedAt: Date.now() });
}

/** The parts that store identities of an account that is made with their ids. */
export function importedParts(userId: string, linked: Omit<LinkedIdentity, "userId">[]): Record<string, Part> {
  return Object.fromEntries(
    linked.map(({ identityId, ...item }) => [`identity ${identityId}`, create(keyOf(identityId), { userId, ...item })]),
  );
}

type Holder = { userId: string; tokenVersion: number; role: string; identities?: string[] | undefined };

/**
 * The change that takes the identities of an account, as it was read, away, or puts `next` in their place: what the
 * update of the account sets, after other fields, and removes, and the further parts. The caller checks that the list
 * has not changed.
 */
export function replacing({ userId, identities = [] }: Holder, next: Identity | "keep" | undefined) {
  if (next === "keep") return { set: "", removed: [], values: {}, parts: {} };
  const parts = Object.fromEntries(identities.map((each) => [each, remove(keyOf(each))]));
  if (!next) return { set: "", removed: ["identities"], values: {}, parts };
  return {
    set: ", identities = :linked",
    removed: [],
    values: { ":linked": [idOf(next)] },
    parts: { ...parts, identity: linkPart(next, userId) },
  };
}

/** Further parts of a link: one uses up what proves the person, the other one is the mail that tells of it. */
type LinkOptions = { once?: Part | undefined; told?: MaybePart };

/** Lets an identity sign in to the account of a session, as it was read. */
export async function link(
  identity: Identity,
  { userId, tokenVersion, role, identities }: Holder,
  { once, told }: LinkOptions = {},
): Promise<"linked" | "used" | "too many" | "of an account" | "changed meanwhile"> {
  if ((identities?.length ?? 0) >= MAX_IDENTITIES) return "too many";
  const outcome = await transact({
    once,
    identity: linkPart(identity, userId),
    user: setFields(
      key.user(userId),
      { identities: [...(identities ?? []), idOf(identity)] },
      stillHas({ tokenVersion, role, identities }),
    ),
    told,
  });
  if (outcome.done) return "linked";
  if (outcome.failed.once) return "used";
  return outcome.failed.user ? "changed meanwhile" : "of an account";
}

/** Takes an identity from an account as it was read. */
export async function unlink(
  identityId: string,
  { userId, identities = [], ...asRead }: Holder & { email: string; isVerified?: boolean | undefined },
): Promise<"unlinked" | "changed meanwhile"> {
  const { email, isVerified } = asRead;
  const left = identities.filter((each) => each !== identityId);
  const outcome = await transact({
    identity: remove(keyOf(identityId)),
    user: setFields(
      key.user(userId),
      { identities: stored(left) },
      // What makes that another way stays: the address and the other identities.
      stillHas({ email, isVerified, identities }),
    ),
  });
  return outcome.done ? "unlinked" : "changed meanwhile";
}
