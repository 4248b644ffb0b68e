import { transact } from "../table/transactions.ts";
import { type Identity, idOf, linkPart } from "./identities.ts";
import { accountParts, renewalParts, renewed, type UserRecord, type UserWithKeys } from "./users.ts";

// The first sign-in of an identity. Each is one transaction, which fails if the identity signs in to an account by
// then: of two in parallel, the second one finds what the first has made.

/** Makes an account for an identity, as a signup does. */
export async function signUp(
  identity: Identity,
  account: UserRecord,
  noPassword: string,
): Promise<"signed up" | "signup closed" | "changed meanwhile" | "username taken"> {
  const outcome = await transact({
    identity: linkPart(identity, account.userId),
    ...accountParts({ ...account, identities: [idOf(identity)] }, noPassword, { way: "other" }),
  });
  if (outcome.done) return "signed up";
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
  noPassword: string,
): Promise<UserRecord | "changed meanwhile"> {
  const outcome = await transact(renewalParts(account, noPassword, { identity }));
  if (!outcome.done) return "changed meanwhile";
  return { ...renewed(account), identities: [idOf(identity)] };
}
