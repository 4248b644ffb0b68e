import { stillHas } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { check, type Part } from "../table/parts.ts";
import { transact } from "../table/transactions.ts";
import { type Identity, idOf, linkPart } from "./identities.ts";
import { accountParts } from "./new-users.ts";
import { renewalParts, renewed } from "./renewals.ts";
import type { UserRecord, UserWithKeys } from "./users.ts";

// The sign-in of an identity. The first one is a transaction, which fails if the identity signs in to an account by
// then: of two in parallel, the second one finds what the first has made. `once` is the part that uses up what proves
// the person, where it counts once.

/** Makes an account for an identity, as a signup does. */
export async function signUp(
  identity: Identity,
  account: UserRecord,
  { noPassword, once }: { noPassword: string; once?: Part | undefined },
): Promise<"signed up" | "used" | "signup closed" | "changed meanwhile" | "username taken"> {
  const outcome = await transact({
    once,
    identity: linkPart(identity, account.userId),
    ...accountParts({ ...account, identities: [idOf(identity)] }, noPassword, { way: "other" }),
  });
  if (outcome.done) return "signed up";
  if (outcome.failed.once) return "used";
  if (outcome.failed.identity || outcome.failed.email) return "changed meanwhile";
  return outcome.failed.userCount ? "signup closed" : "username taken";
}

/**
 * Gives an account with an unconfirmed address, as it was read, to the identity that the address belongs to. A stranger
 * may have made it: its password becomes `noPassword`, and its sessions, API keys and identities end.
 */
export async function takeOver(
  identity: Identity,
  account: UserWithKeys,
  { noPassword, once }: { noPassword: string; once?: Part | undefined },
): Promise<UserRecord | "used" | "changed meanwhile"> {
  const outcome = await transact<string>({ once, ...renewalParts(account, noPassword, { identity }) });
  if (outcome.done) return { ...renewed(account), identities: [idOf(identity)] };
  return outcome.failed.once ? "used" : "changed meanwhile";
}

/** Signs in to the account of a known identity, as it was read. */
export async function enter(account: UserRecord, once: Part): Promise<UserRecord | "used" | "changed meanwhile"> {
  const { userId, role, tokenVersion, identities } = account;
  const outcome = await transact({
    once,
    user: check(key.user(userId), stillHas({ role, tokenVersion, identities })),
  });
  if (outcome.done) return account;
  return outcome.failed.once ? "used" : "changed meanwhile";
}
