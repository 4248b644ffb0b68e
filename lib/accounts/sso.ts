import { randomBytes } from "node:crypto";
import * as z from "zod/mini";
import { setFields, stillHas } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { create, type Part, remove, update } from "../table/parts.ts";
import { get } from "../table/reads.ts";
import { EXPIRY_ATTRIBUTE } from "../table/table-shape.ts";
import { transact } from "../table/transactions.ts";
import type { Site } from "./site.ts";

// People of the owner's own product sign in by a token that its server signs. The secret that signs is an item of its
// own, which only the functions that sign in may read. The site says since when there is one.

export const SsoSecretItem = z.object({
  secret: z.string(),
  // The secret before the last rotation; it counts too, until a time in ms since 1970.
  previous: z.optional(z.string()),
  previousEndsAt: z.optional(z.number()),
});

export const SsoUseItem = z.object({ [EXPIRY_ATTRIBUTE]: z.number() });

const BOTH_COUNT_MS = 24 * 60 * 60 * 1000;

function newSecret(): string {
  return `sso_${randomBytes(32).toString("base64url")}`;
}

/** The secrets that count now, the newest first; none where this way to sign in is off. */
export async function secrets(): Promise<string[]> {
  const item = await get(key.ssoSecret(), SsoSecretItem);
  if (!item) return [];
  const { secret, previous, previousEndsAt = 0 } = item;
  return previous !== undefined && Date.now() < previousEndsAt ? [secret, previous] : [secret];
}

/**
 * Makes a new secret for a site as it was read, and returns it; no other call does. The one before it counts for
 * another 24 hours. The first one switches this way to sign in on.
 */
export async function rotate({ ssoSince }: Site): Promise<string | "changed meanwhile"> {
  const secret = newSecret();
  const now = Date.now();
  const next = update(key.ssoSecret(), "SET previous = secret, previousEndsAt = :end, secret = :secret", {
    if: "attribute_exists(pk)",
    values: { ":end": now + BOTH_COUNT_MS, ":secret": secret },
  });
  const outcome = await transact({
    site: setFields(key.site(), { ssoSince: now }, stillHas({ ssoSince })),
    secret: ssoSince === undefined ? create(key.ssoSecret(), { secret }) : next,
  });
  return outcome.done ? secret : "changed meanwhile";
}

/** Deletes the secrets: nobody signs in by a token any more. Sessions and identities stay. */
export async function switchOff(): Promise<void> {
  await transact({
    site: setFields(key.site(), { ssoSince: undefined }),
    secret: remove(key.ssoSecret()),
  });
}

/** Lets the owner and moderators sign in by a token, or no longer. */
export async function setStaff(ssoStaff: boolean): Promise<void> {
  await transact({ site: setFields(key.site(), { ssoStaff }) });
}

/** What makes a token count once: a hash that every form of it has, and until when it must be kept (s since 1970). */
export type Once = { hash: string; endsAt: number };

/** Part: uses a token up; fails if it was used. */
export function usePart({ hash, endsAt }: Once): Part {
  return create(key.ssoUse(hash), { [EXPIRY_ATTRIBUTE]: endsAt } satisfies z.output<typeof SsoUseItem>);
}
