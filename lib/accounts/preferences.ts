import * as z from "zod/mini";
import { isEqual, setFields, stillHas } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { transact } from "../table/transactions.ts";

/**
 * Which notifications an account gets by mail: of new statuses and responses, of comments on posts that it follows, of
 * replies to its comments.
 */
export const Preferences = z.object({ status: z.boolean(), comments: z.boolean(), replies: z.boolean() });
export type Preferences = z.infer<typeof Preferences>;

const DEFAULT: Preferences = { status: true, comments: false, replies: true };

/** What an account as stored gets. */
export function preferencesOf({ mail = DEFAULT }: { mail?: Preferences | undefined }): Preferences {
  return mail;
}

/** Changes what an account gets, as it was read. "changed meanwhile" asks the caller to read again. */
export async function change(
  { userId, ...user }: { userId: string; mail?: Preferences | undefined },
  wanted: { [Name in keyof Preferences]?: boolean | undefined },
): Promise<Preferences | "changed meanwhile"> {
  const before = preferencesOf(user);
  const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
  const mail = { ...before, ...given };
  if (isEqual(before, mail)) return mail;
  const outcome = await transact({ user: setFields(key.user(userId), { mail }, stillHas({ mail: user.mail })) });
  return outcome.done ? mail : "changed meanwhile";
}

/** Ends all notifications of an account, if it exists. */
export async function endAll(userId: string): Promise<void> {
  const mail: Preferences = { status: false, comments: false, replies: false };
  await transact({ user: setFields(key.user(userId), { mail }) });
}
