import * as z from "zod/mini";
import { key } from "../table/keys.ts";
import { check, put } from "../table/parts.ts";
import { allPosts } from "../table/post-lists.ts";
import { range } from "../table/ranges.ts";
import { get, getRange } from "../table/reads.ts";
import type { Migration, StoredItem, Transaction } from "./migration.ts";

// Accounts get the items that lead to their choices to follow posts or to leave them.

const AnyItem = z.object({ sk: z.string() });

async function missingFollows({ sk: postId }: StoredItem): Promise<Transaction[]> {
  const chosen = await getRange(range.subscriptions(postId), AnyItem);
  const leading = await Promise.all(chosen.map(({ sk: userId }) => get(key.userFollow(userId, postId), AnyItem)));
  const missing = chosen.filter((_, n) => !leading[n]);
  return missing.map(({ sk: userId }) => ({
    // A sweep may have removed it since.
    subscription: check(key.subscription(postId, userId), { if: "attribute_exists(pk)" }),
    userFollow: put(key.userFollow(userId, postId), {}),
  }));
}

export const follows: Migration = {
  title: "lead from accounts to what they follow",
  table: { LIST: ["query"], SUBSCRIPTIONS: ["query", "check"], USER: ["get", "put"] },
  walks: [{ range: range.listRows(allPosts), change: missingFollows }],
};
