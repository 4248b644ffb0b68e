import { setFields, stillHas } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { transact } from "../table/transactions.ts";
import { mailPart } from "./outbox.ts";
import type { UserRecord } from "./users.ts";

/**
 * Gives an account, as it was read, another password, and ends all its sessions by a new token version; with them ends
 * the wait for a new address, whose token is of the version before. A confirmed address is told: another one may be a
 * stranger's. "session ended" if the account has ended its sessions since it was read.
 */
export async function change(
  account: UserRecord,
  passwordHash: string,
  { isFirst, sendsMail }: { isFirst: boolean; sendsMail: boolean },
): Promise<UserRecord | "session ended"> {
  const { userId, email, tokenVersion, isVerified } = account;
  const next = tokenVersion + 1;
  const template = isFirst ? "password-set" : "password-changed";
  const outcome = await transact({
    user: setFields(key.user(userId), { tokenVersion: next, newEmail: undefined }, stillHas({ tokenVersion })),
    // The credentials store the version too: see `CredentialsItem`.
    credentials: setFields(key.credentials(userId), { passwordHash, tokenVersion: next }),
    told: sendsMail && isVerified === true && mailPart({ to: email, userId, template }),
  });
  return outcome.done ? { ...account, tokenVersion: next, newEmail: undefined } : "session ended";
}
