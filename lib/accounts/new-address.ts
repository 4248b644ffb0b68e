import { setFields, stillHas } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { create, remove } from "../table/parts.ts";
import { nowInSeconds } from "../table/table-shape.ts";
import { transact } from "../table/transactions.ts";
import { type MailToken, usePart } from "./mail-tokens.ts";
import { mailPart } from "./outbox.ts";
import { personParts } from "./people.ts";
import type { UserRecord } from "./users.ts";

// A new address counts once the token of a mail to it has confirmed it. Until then the account has its old one, and the
// new one is free for others: the account only remembers for which address it waits. The last request counts.

/** How long an account waits for a new address, in seconds: as long as the token of the mail is good. */
const WAIT_SECONDS = 2 * 60 * 60;

/** The address that an account waits for; undefined if there is none. */
export function waitedFor({ newEmail }: UserRecord, now = nowInSeconds()): string | undefined {
  return newEmail && newEmail.endsAt > now ? newEmail.address : undefined;
}

/**
 * Lets an account wait for a new address, and orders the mail to it; a confirmed old address is told. "session ended"
 * if the account has changed its address or ended its sessions since it was read.
 */
export async function ask(user: UserRecord, address: string): Promise<"asked" | "session ended"> {
  const { userId, email, tokenVersion, isVerified } = user;
  const newEmail = { address, endsAt: nowInSeconds() + WAIT_SECONDS };
  const outcome = await transact({
    user: setFields(key.user(userId), { newEmail }, stillHas({ email, tokenVersion })),
    mail: mailPart({ to: address, userId, template: "new-address" }),
    told: isVerified === true && mailPart({ to: email, userId, template: "address-asked" }),
  });
  return outcome.done ? "asked" : "session ended";
}

/** Lets an account wait for no address any more: tokens that were mailed to one change nothing. */
export async function withdraw({ userId }: UserRecord): Promise<void> {
  await transact({ user: setFields(key.user(userId), { newEmail: undefined }) });
}

/**
 * Gives an account, as it was read, the confirmed address that it waits for. The token of the mail has to be of its
 * sessions: a logout or a new password in between keeps the old address. Its old address becomes free; if it was
 * confirmed, a mail tells it.
 */
export async function take(
  token: string,
  { tokenVersion: issuedIn }: MailToken,
  user: UserRecord,
): Promise<"taken" | "not good" | "of another account" | "changed meanwhile"> {
  const { userId, name, email, newEmail, tokenVersion, isVerified } = user;
  const address = waitedFor(user);
  if (address === undefined || issuedIn !== tokenVersion) return "not good";
  const taken = { email: address, isVerified: true, newEmail: undefined };
  const outcome = await transact({
    token: usePart("verify-email", token),
    user: setFields(key.user(userId), taken, stillHas({ name, email, newEmail, tokenVersion })),
    claim: create(key.email(address), { userId }),
    released: remove(key.email(email)),
    ...personParts(userId, { name, email }, { name, email: address }),
    told: isVerified === true && mailPart({ to: email, userId, template: "address-changed" }),
  });
  if (outcome.done) return "taken";
  if (outcome.failed.token) return "not good";
  return outcome.failed.claim ? "of another account" : "changed meanwhile";
}
