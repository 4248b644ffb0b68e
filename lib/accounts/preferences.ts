import * as z from "zod/mini";
import { setFields } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { transact } from "../table/transactions.ts";

/**
 * Which notifications an account gets by mail: of new statuses and responses, of comments on posts that it follows, of
 * replies to its comments.
 */
export const Preferences = z.object({ status: z.boolean(), comments: z.boolean(), replies: z.boolean() });
export type Preferences = z.infer<typeof Preferences>;

const DEFAULT: Preferences = { status: true, comments: false, replies: true };

/** The notifications that a stored account gets. */
export function preferencesOf({ mail = DEFAULT }: { mail?: Preferences | undefined }): Preferences {
  return mail;
}

/** Stores the choice of an account that exists. */
export async function choose(userId: string, mail: Preferences): Promise<void> {
  await transact({ user: setFields(key.user(userId), { mail }) });
}
