import * as z from "zod/mini";
import { setFields } from "../table/changes.ts";
import { idIn, type Key, key } from "../table/keys.ts";
import { type Part, put, remove } from "../table/parts.ts";
import { range } from "../table/ranges.ts";
import { getRange } from "../table/reads.ts";
import { transact } from "../table/transactions.ts";
import { isStaff, type Role } from "./roles.ts";

/**
 * Which notifications an account gets by mail: of new statuses and responses, of comments on posts that it follows, of
 * replies to its comments, of comments on its own posts.
 */
export const Preferences = z.object({
  status: z.boolean(),
  comments: z.boolean(),
  replies: z.boolean(),
  ownPosts: z.boolean(),
});
export type Preferences = z.infer<typeof Preferences>;

/** The choice of an account; before it was asked about comments on its own posts it had no answer to that. */
export const StoredPreferences = z.extend(Preferences, { ownPosts: z.optional(z.boolean()) });
export type StoredPreferences = z.infer<typeof StoredPreferences>;

const DEFAULT: Preferences = { status: true, comments: false, replies: true, ownPosts: true };

export const NO_MAILS: Preferences = { status: false, comments: false, replies: false, ownPosts: false };

/** The notifications that a stored account gets. */
export function preferencesOf({ mail = DEFAULT }: { mail?: StoredPreferences | undefined }): Preferences {
  // An account that has ended all other mails gets none of these.
  const { ownPosts = mail.status || mail.comments || mail.replies } = mail;
  return { ...mail, ownPosts };
}

/**
 * All notifications of an account. Moderators and the owner also have mails of the team: about new posts, and the
 * digest of the queue.
 */
export const AllMails = z.extend(Preferences, { newPosts: z.boolean(), digest: z.boolean() });
export type AllMails = z.infer<typeof AllMails>;

type OfTeam = { role: Role; newPosts?: boolean | undefined; digest?: boolean | undefined };

/** Whether an account gets mails about new posts: the owner unless it chose otherwise, moderators who chose so. */
export function getsNewPosts(user: OfTeam): boolean {
  const { newPosts = user.role === "owner" } = user;
  return newPosts && isStaff(user);
}

/** Whether an account gets the digest of the queue: moderators and the owner, if they chose so. */
export function getsDigest(user: OfTeam): boolean {
  return user.digest === true && isStaff(user);
}

/** All notifications that an account gets. */
export function allMailsOf(user: OfTeam & { mail?: StoredPreferences | undefined }): AllMails {
  return { ...preferencesOf(user), newPosts: getsNewPosts(user), digest: getsDigest(user) };
}

/** The mails of the team that an account wants or not; without an answer that choice stays as it is. */
export type TeamChoice = { newPosts?: boolean | undefined; digest?: boolean | undefined };

/** The choice of no mails of the team. */
export const NO_TEAM_MAILS = { newPosts: false, digest: false };

function rowPart(row: Key, isChosen: boolean | undefined): Part | undefined {
  if (isChosen === undefined) return undefined;
  return isChosen ? put(row, {}) : remove(row);
}

/** The parts that keep which mails of the team an account gets; `send` reads the rows of those who chose some. */
export function teamParts(userId: string, { newPosts, digest }: TeamChoice) {
  return {
    newPosts: rowPart(key.newPostsReader(userId), newPosts),
    digest: rowPart(key.digestReader(userId), digest),
  };
}

/** Stores choices of an account that exists; what is not given stays as it is. */
export async function choose(userId: string, { mail, ...team }: { mail?: Preferences } & TeamChoice): Promise<void> {
  const given = Object.entries({ mail, ...team }).filter(([, value]) => value !== undefined);
  await transact<string>({
    user: setFields(key.user(userId), Object.fromEntries(given)),
    ...teamParts(userId, team),
  });
}

const Row = z.object({ sk: z.string() });

/** The ids of the accounts that chose to get mails about new posts, and may have another role by now. */
export async function newPostsReaders(): Promise<string[]> {
  return (await getRange(range.newPostsReaders(), Row)).map(({ sk }) => idIn(sk));
}

/** The ids of those that chose the digest, in their order. */
export async function digestReaders(): Promise<string[]> {
  return (await getRange(range.digestReaders(), Row)).map(({ sk }) => idIn(sk));
}
