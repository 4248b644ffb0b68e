import { setFields, stillHas } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { type Part, remove, update } from "../table/parts.ts";
import * as apiKeys from "./api-keys.ts";
import * as identities from "./identities.ts";
import type { UserRecord, UserWithKeys } from "./users.ts";

/** An account with an unconfirmed address, as `renewalParts` leave it. */
export function renewed<User extends UserRecord>(account: User): User {
  return { ...account, tokenVersion: account.tokenVersion + 1, isVerified: true, twoFactor: undefined };
}

/** What an account keeps when it is given to who reads the mails to its address, and the identity that it gets. */
type Renewal = { keepKeys?: boolean | undefined; identity?: identities.Identity };

/**
 * The parts that give an account, as it was read, to who reads the mails to its address: they set what a password is
 * verified against, confirm the address, end all sessions by a new token version, all API keys or none, and all
 * identities; a confirmed account that keeps its keys keeps its identities too. Of an unconfirmed account they end the
 * second factor, which may be a stranger's. They fail if the address was confirmed meanwhile: a confirmed account may
 * have more to keep.
 */
export function renewalParts(
  account: UserWithKeys,
  passwordHash: string,
  { keepKeys = false, identity }: Renewal = {},
): Record<string, Part> {
  const { userId, tokenVersion, email, isVerified, twoFactor } = account;
  const next = tokenVersion + 1;
  const ending = apiKeys.endingAll(account, keepKeys);
  const endsTwoFactor = twoFactor === true && !isVerified;
  const keepsIdentities = keepKeys && isVerified === true;
  const linked = identities.replacing(account, keepsIdentities ? "keep" : identity);
  const asRead = stillHas({ tokenVersion, email, isVerified, identities: account.identities });
  const removed = [...linked.removed, ...(endsTwoFactor ? ["twoFactor"] : [])];
  const set = `SET tokenVersion = :next, isVerified = :true, ${ending.set}${linked.set}`;
  return {
    user: update(key.user(userId), removed.length > 0 ? `${set} REMOVE ${removed.join(", ")}` : set, {
      ...asRead,
      if: `${asRead.if} AND ${ending.if}`,
      values: { ":next": next, ":true": true, ...asRead.values, ...ending.values, ...linked.values },
    }),
    // The credentials store the version too: see `CredentialsItem`.
    credentials: setFields(key.credentials(userId), { passwordHash, tokenVersion: next }),
    ...ending.parts,
    ...linked.parts,
    ...(endsTwoFactor && { twoFactor: remove(key.twoFactor(userId)) }),
  };
}
