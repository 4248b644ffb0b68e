import * as z from "zod/mini";
import { setFields } from "../table/changes.ts";
import { key } from "../table/keys.ts";
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
  // An account that has ended all other mails wants none of these.
  const { ownPosts = mail.status || mail.comments || mail.replies } = mail;
  return { ...mail, ownPosts };
}

/** Stores the choice of an account that exists. */
export async function choose(userId: string, mail: Preferences): Promise<void> {
  await transact({ user: setFields(key.user(userId), { mail }) });
}
