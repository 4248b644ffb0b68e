import { createHash, randomBytes } from "node:crypto";
import * as z from "zod";
import { EXPIRY_ATTRIBUTE, type Key, key } from "./keys.ts";
import { create, remove, update } from "./parts.ts";
import { get } from "./reads.ts";
import { transact } from "./transactions.ts";
import * as users from "./users.ts";

/** What a token that goes out by mail is good for: one thing only. */
export type Purpose = "verify-email" | "reset-password";

/** How long such a token is good: two hours. */
export const LIFETIME_SECONDS = 2 * 60 * 60;

/** Whose a mail token is, and the version that the user's tokens had when it was made. */
export type MailToken = { userId: string; tokenVersion: number };

/** A mail token as stored. */
export const TokenItem = z.object({ userId: z.string(), tokenVersion: z.number(), [EXPIRY_ATTRIBUTE]: z.number() });

const nowInSeconds = (): number => Math.floor(Date.now() / 1000);

// The table knows only the hash: who reads it cannot use it. The token is random and long, so that a plain hash will do.
const keyOf = (purpose: Purpose, token: string): Key =>
  key.mailToken(purpose, createHash("sha256").update(token).digest("hex"));

/** Makes a token for a letter; it is kept nowhere but there. */
export const issue = async (
  purpose: Purpose,
  { userId, tokenVersion }: MailToken,
  expiresAt = nowInSeconds() + LIFETIME_SECONDS,
): Promise<string> => {
  const token = randomBytes(32).toString("base64url");
  await transact({ token: create(keyOf(purpose, token), { userId, tokenVersion, [EXPIRY_ATTRIBUTE]: expiresAt }) });
  return token;
};

/** Reads a token; undefined when it is unknown, used, of another purpose, or past its time. */
export const find = async (purpose: Purpose, token: string): Promise<MailToken | undefined> => {
  const item = await get(keyOf(purpose, token), TokenItem);
  // The store drops what has expired when it finds the time.
  if (!item || item[EXPIRY_ATTRIBUTE] <= nowInSeconds()) return undefined;
  return { userId: item.userId, tokenVersion: item.tokenVersion };
};

/** Reads a token for a new password; one that was made before the last change of the password is none. */
export const findForReset = async (token: string): Promise<MailToken | undefined> => {
  const found = await find("reset-password", token);
  const user = found && (await users.find(found.userId));
  return user?.tokenVersion === found?.tokenVersion ? found : undefined;
};

/** Part: uses a token up, unless somebody else did or its time has passed. */
const usePart = (purpose: Purpose, token: string) =>
  remove(keyOf(purpose, token), {
    if: "attribute_exists(pk) AND #expiry > :now",
    names: { "#expiry": EXPIRY_ATTRIBUTE },
    values: { ":now": nowInSeconds() },
  });

/** Uses up a token that went to a user's address: it is the user's. */
export const confirmAddress = async (token: string, { userId }: MailToken): Promise<"confirmed" | "not good"> => {
  const outcome = await transact({
    token: usePart("verify-email", token),
    user: update(key.user(userId), "SET isVerified = :true", {
      if: "attribute_exists(pk)",
      values: { ":true": true },
    }),
  });
  return outcome.done ? "confirmed" : "not good";
};

/**
 * Uses up a token for a new password. The token version goes up, which ends all sessions and makes every other reset token of the
 * user worthless; it stands beside the password too, see `Credentials`.
 */
export const setPassword = async (
  token: string,
  { userId, tokenVersion }: MailToken,
  passwordHash: string,
): Promise<"set" | "not good"> => {
  const outcome = await transact({
    token: usePart("reset-password", token),
    user: update(key.user(userId), "SET tokenVersion = :next", {
      if: "tokenVersion = :asIssued",
      values: { ":next": tokenVersion + 1, ":asIssued": tokenVersion },
    }),
    credentials: update(key.credentials(userId), "SET passwordHash = :hash, tokenVersion = :next", {
      if: "attribute_exists(pk)",
      values: { ":hash": passwordHash, ":next": tokenVersion + 1 },
    }),
  });
  return outcome.done ? "set" : "not good";
};
