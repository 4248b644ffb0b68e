import * as z from "zod/mini";
import { stillHas } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { check, type Part } from "../table/parts.ts";
import { getMany } from "../table/reads.ts";
import { type Shown, shownOf, UserItem, type UserRecord } from "./users.ts";

// Who moves posts, votes or comments to other keys may pass a rename or an erasure that walks along those keys. So a
// move writes the name and role that the account has at the commit. What belongs to an account that is being erased
// stays until the erasure has found it.

/** Accounts as they were read, by their ids, and those that are being erased. */
export type Holders = { users: ReadonlyMap<string, UserRecord>; beingErased: ReadonlySet<string> };

export async function holdersOf(userIds: string[]): Promise<Holders> {
  const ids = [...new Set(userIds)];
  const users = await getMany(ids.map(key.user), UserItem);
  const known = new Map(users.map((user) => [user.userId, user]));
  // After the accounts: an erasure removes the account when it begins.
  const missing = ids.filter((userId) => !known.has(userId));
  const erasures = await getMany(missing.map(key.erasure), z.object({ sk: z.string() }));
  return { users: known, beingErased: new Set(erasures.map(({ sk }) => sk)) };
}

/** The parts that need accounts to have, at the commit, the name and role that they were read with. */
export function unchangedParts({ users }: Holders, userIds: string[]): Record<string, Part> {
  const known = [...new Set(userIds)].map((userId) => users.get(userId)).filter((user) => user !== undefined);
  return Object.fromEntries(
    known.map(({ userId, name, role }) => [`account ${userId}`, check(key.user(userId), stillHas({ name, role }))]),
  );
}

/** What an account shows now; if there is none, what was shown before. */
export function shownNow<S extends Shown>({ users }: Holders, before: S): S {
  const user = users.get(before.userId);
  return user ? { ...before, role: undefined, ...shownOf(user) } : before;
}
