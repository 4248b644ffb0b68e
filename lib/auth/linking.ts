import * as identities from "../accounts/identities.ts";
import { enter, signUp, takeOver } from "../accounts/identity-sign-ins.ts";
import { mailPart } from "../accounts/outbox.ts";
import { isStaff } from "../accounts/roles.ts";
import * as users from "../accounts/users.ts";
import type { MaybePart, Part } from "../table/parts.ts";
import { replanned } from "../table/retries.ts";
import type { Language } from "../values/languages.ts";
import { noAddressOf } from "../values/no-address.ts";
import { newAccount, openAccount } from "./accounts.ts";
import { hashOfNone } from "./passwords.ts";

// The account of a person whom another service vouches for.
// All cases: docs/sign-in.md#which-account-it-is

/** What another service says of a person who signs in by it. */
export type Asserted = {
  /** The service, and the person there: an account is found by both. */
  issuer: string;
  subject: string;
  /** An address in its normal form, and whether the service says that it is the person's. */
  email?: string | undefined;
  emailVerified: boolean;
  /** A name that an account may have. */
  name?: string | undefined;
  /** What the owner calls the service, if it is a provider. */
  provider?: string | undefined;
  /** Whether the owner lets the owner and moderators sign in by this service. */
  mayBeStaff: boolean;
  /** The language of the page where the person signs in. */
  language?: Language | undefined;
};

/** Why nobody is signed in. */
export type Refusal = "signup closed" | "sign in to link" | "not for staff";

type Read = { identity?: identities.LinkedIdentity | undefined; account?: users.UserWithKeys | undefined };

async function read(asserted: Asserted): Promise<Read> {
  const identity = await identities.find(identities.idOf(asserted));
  if (identity) return { identity, account: await users.findWithKeys(identity.userId) };
  const address = addressOf(asserted);
  const userId = address && (await users.idOf(address));
  return { account: userId ? await users.findWithKeys(userId) : undefined };
}

/** The address that counts: nobody gets an account by an address that nobody has checked. */
function addressOf({ email, emailVerified }: Asserted): string | undefined {
  return emailVerified ? email : undefined;
}

function accountFor(asserted: Asserted): users.UserRecord {
  const { name, language } = asserted;
  const address = addressOf(asserted);
  if (address !== undefined) return { ...newAccount(address, name, "member", { language }), isVerified: true };
  const account = newAccount("", name, "member", { language });
  return { ...account, email: noAddressOf(account.userId) };
}

type BeforeSignUp = (subject: string) => Promise<void>;

/**
 * Finds or makes the account of a person whom another service vouches for, in one transaction. `beforeSignUp` counts a
 * new account as a signup of this address or name, and may throw. `once` uses up what proves the person in the same
 * transaction, for all ways into an account: "used" if it was used before.
 */
export function enterBy(asserted: Asserted, beforeSignUp: BeforeSignUp): Promise<users.UserRecord | Refusal>;
export function enterBy(
  asserted: Asserted,
  beforeSignUp: BeforeSignUp,
  once: Part,
): Promise<users.UserRecord | Refusal | "used">;
export async function enterBy(
  asserted: Asserted,
  beforeSignUp: BeforeSignUp,
  once?: Part,
): Promise<users.UserRecord | Refusal | "used"> {
  return replanned(
    await read(asserted),
    () => read(asserted),
    async ({ identity, account }) => {
      if (identity) return known(identity, account, asserted, once);
      if (account) return byAddress(asserted, account, once);
      await beforeSignUp(addressOf(asserted) ?? identities.idOf(asserted));
      const { user, outcome } = await openAccount(
        () => accountFor(asserted),
        (made) => signUp(asserted, made, { noPassword: hashOfNone, once }),
      );
      return outcome === "signed up" ? user : outcome;
    },
  );
}

async function known(
  { identityId }: identities.LinkedIdentity,
  account: users.UserRecord | undefined,
  { mayBeStaff }: Asserted,
  once: Part | undefined,
): Promise<users.UserRecord | Refusal | "used" | "changed meanwhile"> {
  if (!account?.identities?.includes(identityId)) return "changed meanwhile";
  if (isStaff(account) && !mayBeStaff) return "not for staff";
  return once ? enter(account, once) : account;
}

/** An account that nobody has confirmed may be a stranger's. A confirmed one, or one of the team, needs its session. */
async function byAddress(
  asserted: Asserted,
  account: users.UserWithKeys,
  once: Part | undefined,
): Promise<users.UserRecord | Refusal | "used" | "changed meanwhile"> {
  // A parallel sign-in has made it, after the identity was read and before the account was.
  if (account.identities?.includes(identities.idOf(asserted))) return "changed meanwhile";
  if (account.isVerified || isStaff(account)) return "sign in to link";
  return takeOver(asserted, account, { noPassword: hashOfNone, once });
}

/** Whether an account has a password. */
export async function hasPassword(userId: string): Promise<boolean> {
  return (await users.passwordHashOf(userId)) !== hashOfNone;
}

/** The mail that tells of a link: to a confirmed address, because another one may be a stranger's. */
function toldPart({ userId, email, isVerified }: users.UserRecord, { provider }: Asserted): MaybePart {
  return isVerified === true && mailPart({ to: email, userId, template: "sign-in-linked", provider });
}

/** Lets a person whom another service vouches for sign in to the account of a session. `once` as for `enterBy`. */
export async function linkTo(
  caller: users.UserRecord,
  asserted: Asserted,
  { once, sendsMail = false }: { once?: Part; sendsMail?: boolean } = {},
): Promise<"linked" | "used" | "too many" | "of another account" | "not for staff" | "session ended"> {
  const outcome = await replanned(
    caller as users.UserRecord | undefined,
    () => users.find(caller.userId),
    async (account) => {
      if (account?.tokenVersion !== caller.tokenVersion) return "session ended";
      if (isStaff(account) && !asserted.mayBeStaff) return "not for staff";
      if (account.identities?.includes(identities.idOf(asserted))) return "linked";
      return identities.link(asserted, account, { once, told: sendsMail && toldPart(account, asserted) });
    },
  );
  return outcome === "of an account" ? "of another account" : outcome;
}
