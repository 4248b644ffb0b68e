import { createHash, randomBytes, scryptSync, timingSafeEqual } from "node:crypto";
import * as z from "zod/mini";
import { stillHas, useUp } from "../table/changes.ts";
import { type Key, key } from "../table/keys.ts";
import { check, create, type MaybePart, type Part, put, update } from "../table/parts.ts";
import { get } from "../table/reads.ts";
import { EXPIRY_ATTRIBUTE, isOver, nowInSeconds } from "../table/table-shape.ts";
import { transact } from "../table/transactions.ts";
import { newCode, readCode } from "../values/codes.ts";
import { accountParts } from "./new-users.ts";
import { mailPart } from "./outbox.ts";
import { renewalParts, renewed } from "./renewals.ts";
import { open, seal } from "./sealed-addresses.ts";
import type { UserRecord, UserWithKeys } from "./users.ts";

// A mail that signs in has a link and a code. Each shows that its holder reads the mails to the address, and each
// sign-in uses up both. Every link is good until it is used or expires; of the codes to an address only the newest is.

/** How long a link and a code are good, in seconds. */
const LIFETIME_SECONDS = 15 * 60;

const TRIES = 5;

const CODE_LENGTH = 8;

export const LinkItem = z.object({
  // The address, sealed by the token of the link. The first links have none, and are not good any more.
  sealed: z.optional(z.string()),
  // Of the account with this address, if there was a confirmed one when the mail was sent.
  tokenVersion: z.optional(z.number()),
  askedFrom: z.string(),
  [EXPIRY_ATTRIBUTE]: z.number(),
});

export const CodeItem = z.object({
  // The hash of the link in the same mail.
  link: z.string(),
  codeHash: z.string(),
  tries: z.number(),
  [EXPIRY_ATTRIBUTE]: z.number(),
});

/** What a mail is about: `askedFrom` is the hash of the network and the browser that asked for it. */
export type Asked = { email: string; tokenVersion?: number | undefined; askedFrom: string };

/** A sign-in by a link or code that was good when it was read; `link`: the hash of the link. */
export type SignIn = Asked & { link: string };

export function askedFrom(network: string, browser = ""): string {
  return createHash("sha256").update(`${network}\n${browser}`).digest("base64url");
}

/** The key of the code of the newest mail to an address, which the table does not hold. */
export function codeKey(email: string): Key {
  return key.signInCode(hashOf(email));
}

// The table holds no token and no code. A token is long and random, so a plain hash will do.
function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** A code is short: who reads the table could find it by trying all, were its hash not slow. */
function hashOfCode(email: string, code: string): Buffer {
  return scryptSync(code, email, 32, { N: 4096 });
}

/** Makes the link's token and the code of a mail; they are kept nowhere else. */
export async function issue({ email, tokenVersion, askedFrom }: Asked): Promise<{ token: string; code: string }> {
  const token = randomBytes(32).toString("base64url");
  const code = newCode(CODE_LENGTH);
  const link = hashOf(token);
  const expiry = { [EXPIRY_ATTRIBUTE]: nowInSeconds() + LIFETIME_SECONDS };
  await transact({
    link: create(key.signInLink(link), { sealed: seal(email, token), tokenVersion, askedFrom, ...expiry }),
    code: put(codeKey(email), {
      link,
      codeHash: hashOfCode(email, code).toString("base64url"),
      tries: 0,
      ...expiry,
    }),
  });
  return { token, code };
}

async function findLink(link: string): Promise<z.output<typeof LinkItem> | undefined> {
  const item = await get(key.signInLink(link), LinkItem);
  return item && !isOver(item) ? item : undefined;
}

/** Reads the sign-in of a link; undefined if it is unknown, used or expired. */
export async function findByToken(token: string): Promise<SignIn | undefined> {
  const link = hashOf(token);
  const item = await findLink(link);
  if (item?.sealed === undefined) return undefined;
  const { sealed, tokenVersion, askedFrom } = item;
  return { link, email: open(sealed, token), tokenVersion, askedFrom };
}

/**
 * Counts a try of the newest code to an address, and returns its sign-in if the code is right. The store calls of a
 * wrong code do not depend on whether a mail was sent.
 */
export async function findByCode(email: string, typed: string): Promise<SignIn | undefined> {
  const item = await get(codeKey(email), CodeItem);
  const actual = hashOfCode(email, readCode(typed));
  // Counted before it is compared: however many tries arrive in parallel, five are compared.
  const { done } = await transact({ try: tryPart(email, item?.link ?? "none") });
  if (!item || !done || !timingSafeEqual(actual, Buffer.from(item.codeHash, "base64url"))) return undefined;
  const { link } = item;
  const mailed = await findLink(link);
  return mailed && { link, email, tokenVersion: mailed.tokenVersion, askedFrom: mailed.askedFrom };
}

function tryPart(email: string, link: string): Part {
  return update(codeKey(email), "ADD tries :one", {
    if: "link = :link AND tries < :most AND #expiry > :now",
    names: { "#expiry": EXPIRY_ATTRIBUTE },
    values: { ":one": 1, ":link": link, ":most": TRIES, ":now": nowInSeconds() },
  });
}

/** Part: uses up a link, and with it the code of its mail. */
function usePart({ link }: SignIn): Part {
  return useUp(key.signInLink(link));
}

/** The browser that signs in, if it is known, and whether another one or another network asked for the mail. */
type SigningBrowser = { browser: string | undefined; isElsewhere: boolean };

function toldPart({ email }: SignIn, { browser, isElsewhere }: SigningBrowser, userId: string): MaybePart {
  return isElsewhere && mailPart({ to: email, userId, template: "signed-in", browser });
}

/**
 * Signs in to an account as it was read; returns it as it is then. A stranger may have made an account with an
 * unconfirmed address: its password becomes `noPassword`, and its sessions and API keys end. "not good" also after a
 * logout or a new password.
 */
export async function enter(
  signIn: SignIn,
  account: UserWithKeys,
  from: SigningBrowser,
  noPassword: string,
): Promise<UserRecord | "not good" | "changed meanwhile"> {
  const { userId, email, tokenVersion, isVerified } = account;
  if (signIn.tokenVersion !== undefined && signIn.tokenVersion !== tokenVersion) return "not good";
  const unchanged = { user: check(key.user(userId), stillHas({ email, tokenVersion, isVerified })) };
  const outcome = await transact<string>({
    link: usePart(signIn),
    ...(isVerified ? unchanged : renewalParts(account, noPassword)),
    told: toldPart(signIn, from, userId),
  });
  if (outcome.done) return isVerified ? account : renewed(account);
  return outcome.failed.link ? "not good" : "changed meanwhile";
}

/** Signs in to a new account with a confirmed address, as a signup does. */
export async function signUp(
  signIn: SignIn,
  account: UserRecord,
  from: SigningBrowser,
  noPassword: string,
): Promise<"signed up" | "not good" | "signup closed" | "changed meanwhile" | "username taken"> {
  const outcome = await transact({
    link: usePart(signIn),
    ...accountParts({ ...account, isVerified: true }, noPassword, { way: "other" }),
    told: toldPart(signIn, from, account.userId),
  });
  if (outcome.done) return "signed up";
  if (outcome.failed.link) return "not good";
  if (outcome.failed.userCount) return "signup closed";
  return outcome.failed.email ? "changed meanwhile" : "username taken";
}
