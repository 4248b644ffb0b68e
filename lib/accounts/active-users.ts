import * as z from "zod/mini";
import { prefix } from "../table/keys.ts";
import { range } from "../table/ranges.ts";
import { getRange } from "../table/reads.ts";
import { UserItem, type UserRecord } from "./users.ts";

/** An account with the number of its posts and votes. A vote on a deleted post counts until the sweeper has passed. */
export type ActiveUser = UserRecord & { posts: number; votes: number };

const ActivityItem = z.object({ sk: z.string().check(z.regex(/^(POST|VOTE)#/)) });

function activityOrUserItem(sk: string): typeof ActivityItem | typeof UserItem {
  return sk === "USER" ? UserItem : ActivityItem;
}

async function findActive(userId: string): Promise<ActiveUser | undefined> {
  const items = await getRange(range.userTrail(userId, prefix.post), activityOrUserItem);
  const user = items.find((item) => "email" in item);
  const count = (kind: string): number => items.filter((item) => "sk" in item && item.sk.startsWith(kind)).length;
  return user && { ...user, posts: count(prefix.post), votes: count(prefix.vote) };
}

/**
 * Reads accounts with their activity, in the order of the given ids; one that does not parse is left out. One Query an
 * account: it reads the items that it counts, so that nothing has to be counted when a post or a vote is written.
 */
export async function findAllActive(userIds: string[]): Promise<ActiveUser[]> {
  return (await Promise.all(userIds.map(findActive))).filter((user) => user !== undefined);
}
