import { createHash, randomBytes } from "node:crypto";
import * as z from "zod/mini";
import { setFields, stillHas, useUp } from "../table/changes.ts";
import { type Key, key } from "../table/keys.ts";
import { create } from "../table/parts.ts";
import { get } from "../table/reads.ts";
import { replanned } from "../table/retries.ts";
import { EXPIRY_ATTRIBUTE, isOver, nowInSeconds } from "../table/table-shape.ts";
import { transact } from "../table/transactions.ts";
import { renewalParts } from "./renewals.ts";
import { open, seal } from "./sealed-addresses.ts";
import * as users from "./users.ts";

export type Purpose = "verify-email" | "reset-password";

const LIFETIME_SECONDS = 2 * 60 * 60;

/** Its holder reads the mails to `email`, or to the account's address if the token is of an earlier version. */
export type MailToken = { userId: string; tokenVersion: number; email?: string | undefined };

export const TokenItem = z.object({
  userId: z.string(),
  tokenVersion: z.number(),
  // The address, sealed by the token; before that was so, `email`, and in the first tokens neither.
  sealed: z.optional(z.string()),
  email: z.optional(z.string()),
  [EXPIRY_ATTRIBUTE]: z.number(),
});

// A reader of the table cannot use a token: it holds a hash. Tokens are long and random, so a plain hash will do.
function keyOf(purpose: Purpose, token: string): Key {
  return key.mailToken(purpose, createHash("sha256").update(token).digest("hex"));
}

/** Makes a token for a letter, good for a lifetime in seconds; it is kept nowhere else. */
export async function issue(
  purpose: Purpose,
  { userId, tokenVersion, email }: MailToken,
  lifetime = LIFETIME_SECONDS,
): Promise<string> {
  const expiresAt = nowInSeconds() + lifetime;
  const token = randomBytes(32).toString("base64url");
  const sealed = email === undefined ? undefined : seal(email, token);
  await transact({
    token: create(keyOf(purpose, token), { userId, tokenVersion, sealed, [EXPIRY_ATTRIBUTE]: expiresAt }),
  });
  return token;
}

/** Reads a token; undefined if it is unknown, used, expired or of another purpose. */
export async function find(purpose: Purpose, token: string): Promise<MailToken | undefined> {
  const item = await get(keyOf(purpose, token), TokenItem);
  if (!item || isOver(item)) return undefined;
  const { userId, tokenVersion, sealed, email } = item;
  return { userId, tokenVersion, email: sealed === undefined ? email : open(sealed, token) };
}

/** Reads the account of a token for a new password; undefined also after a change of the password or the address. */
export async function findForReset<User extends users.UserRecord>(
  token: string,
  findUser: (userId: string) => Promise<User | undefined>,
): Promise<User | undefined> {
  const found = await find("reset-password", token);
  const user = found && (await findUser(found.userId));
  const isGood = user?.tokenVersion === found?.tokenVersion && user?.email === (found?.email ?? user?.email);
  return isGood ? user : undefined;
}

/** Part: uses up a token; fails if it is unknown, used or expired. */
export function usePart(purpose: Purpose, token: string) {
  return useUp(keyOf(purpose, token));
}

/** Confirms an address that its account has. */
export async function confirmAddress(
  token: string,
  { userId, email }: users.UserRecord,
): Promise<"confirmed" | "not good" | "changed meanwhile"> {
  const outcome = await transact({
    token: usePart("verify-email", token),
    user: setFields(key.user(userId), { isVerified: true }, stillHas({ email })),
  });
  if (outcome.done) return "confirmed";
  return outcome.failed.token ? "not good" : "changed meanwhile";
}

/**
 * Uses up a token for a new password. Its holder can read the mails to the address, so this confirms the address. All
 * sessions end, and all API keys, unless the caller asked to keep them. The user's other reset tokens become invalid.
 */
export function setPassword(
  token: string,
  found: users.UserWithKeys,
  { passwordHash, keepKeys }: { passwordHash: string; keepKeys?: boolean | undefined },
): Promise<"set" | "not good"> {
  const set = async (good: users.UserWithKeys | undefined) => {
    if (!good) return "not good";
    const renewal = renewalParts(good, passwordHash, { keepKeys });
    const outcome = await transact({ token: usePart("reset-password", token), ...renewal });
    // Also if only the API keys changed: then the token is still valid.
    return outcome.done ? "set" : "changed meanwhile";
  };
  return replanned(found, () => findForReset(token, users.findWithKeys), set);
}
