import * as z from "zod/mini";
import { key } from "../table/keys.ts";
import { check, put, remove } from "../table/parts.ts";
import { allPosts } from "../table/post-lists.ts";
import { range } from "../table/ranges.ts";
import { get, getRange } from "../table/reads.ts";
import type { Migration, StoredItem, Transaction } from "./migration.ts";

// Accounts get the items that lead to their choices to follow posts or to leave them. A choice of an account that was
// erased before goes: its erasure had nothing that led to the choice.

const AnyItem = z.object({ sk: z.string() });

async function missingFollows({ sk: postId }: StoredItem): Promise<Transaction[]> {
  const chosen = await getRange(range.subscriptions(postId), AnyItem);
  const transactions = await Promise.all(chosen.map(({ sk: userId }) => missingFollow(postId, userId)));
  return transactions.filter((each) => each !== undefined);
}

async function missingFollow(postId: string, userId: string): Promise<Transaction | undefined> {
  const leading = key.userFollow(userId, postId);
  const [follow, user] = await Promise.all([get(leading, AnyItem), get(key.user(userId), AnyItem)]);
  const subscription = key.subscription(postId, userId);
  if (!user) return { subscription: remove(subscription), userFollow: remove(leading) };
  if (follow) return undefined;
  return {
    // A sweep may have removed the choice since, an erasure the account.
    subscription: check(subscription, { if: "attribute_exists(pk)" }),
    user: check(key.user(userId), { if: "attribute_exists(pk)" }),
    userFollow: put(leading, {}),
  };
}

export const follows: Migration = {
  title: "lead from accounts to what they follow",
  table: { LIST: ["query"], SUBSCRIPTIONS: ["query", "check", "delete"], USER: ["get", "check", "put", "delete"] },
  walks: [{ range: range.listRows(allPosts), change: missingFollows }],
};
