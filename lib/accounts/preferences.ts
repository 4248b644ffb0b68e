import * as z from "zod/mini";
import { setFields } from "../table/changes.ts";
import { idIn, key } from "../table/keys.ts";
import { type Part, put, remove } from "../table/parts.ts";
import { range } from "../table/ranges.ts";
import { getRange } from "../table/reads.ts";
import { transact } from "../table/transactions.ts";

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

type OfTeam = { role: string; newPosts?: boolean | undefined };

/** Whether an account gets mails about new posts: the owner unless it chose otherwise, moderators who chose so. */
export function getsNewPosts({ role, newPosts = role === "owner" }: OfTeam): boolean {
  return newPosts && (role === "owner" || role === "moderator");
}

/** The parts that keep whether an account gets mails about new posts; `send` reads the rows of those who chose so. */
export function newPostsParts(userId: string, newPosts: boolean): Record<string, Part> {
  const row = key.newPostsReader(userId);
  return { newPosts: newPosts ? put(row, {}) : remove(row) };
}

/** Stores the choice of an account that exists; without `newPosts` that choice stays as it is. */
export async function choose(userId: string, mail: Preferences, newPosts?: boolean): Promise<void> {
  await transact<string>({
    user: setFields(key.user(userId), { mail, ...(newPosts !== undefined && { newPosts }) }),
    ...(newPosts !== undefined && newPostsParts(userId, newPosts)),
  });
}

/** Ends the mails about new posts. */
export async function leaveNewPosts(userId: string): Promise<void> {
  await transact<string>({
    user: setFields(key.user(userId), { newPosts: false }),
    ...newPostsParts(userId, false),
  });
}

/** The ids of the accounts that chose to get mails about new posts, and may have another role by now. */
export async function newPostsReaders(): Promise<string[]> {
  return (await getRange(range.newPostsReaders(), z.object({ sk: z.string() }))).map(({ sk }) => idIn(sk));
}
