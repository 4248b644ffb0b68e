import type { Part } from "../../../lib/data/parts.ts";
import * as posts from "../../../lib/data/posts.ts";
import { transact } from "../../../lib/data/transactions.ts";
import type { Person } from "../../../lib/data/users.ts";
import * as votes from "../../../lib/data/votes.ts";
import * as voting from "../../../lib/data/voting.ts";
import { newId } from "../../../lib/values/ids.ts";

// Fills a table faster than request by request: the parts that lib/data makes, many requests' to a transaction, and what adds
// to one item summed up first.

// The most that a transaction takes.
const PARTS = 100;

/** Does the same to each of many, a few at a time. */
export const eachOf = async <T>(all: readonly T[], work: (one: T) => Promise<unknown>, width = 4): Promise<void> => {
  const left = all.values();
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const one of left) await work(one);
    }),
  );
};

const write = async (parts: Part[]): Promise<void> => {
  const { done } = await transact(Object.fromEntries(parts.entries()));
  if (!done) throw new Error("a condition failed");
};

/** Adds up the updates that differ in the amount that they add only. */
const summed = (parts: Part[], amount: string): Part[] => {
  const sums = new Map<string, Part>();
  for (const { Update } of parts) {
    if (!Update) continue;
    const { Key, UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues: values = {} } = Update;
    const same = JSON.stringify([Key, UpdateExpression, ExpressionAttributeNames]);
    const before = sums.get(same)?.Update?.ExpressionAttributeValues?.[amount] ?? 0;
    sums.set(same, {
      Update: { ...Update, ExpressionAttributeValues: { ...values, [amount]: before + values[amount] } },
    });
  }
  return [...sums.values()];
};

const writeAll = async (parts: Part[], amount: string): Promise<void> => {
  const puts = parts.filter(({ Put }) => Put);
  const batches = Array.from({ length: Math.ceil(puts.length / PARTS) }, (_, at) =>
    puts.slice(at * PARTS, (at + 1) * PARTS),
  );
  await eachOf(batches, write);
  await eachOf(summed(parts, amount), (part) => write([part]));
};

/** Makes many posts. */
export const addPosts = async (records: posts.PostRecord[]): Promise<void> => {
  const parts = records.flatMap((record) => Object.values(posts.newPostParts(record)));
  await writeAll(parts, ":change");
};

/** Casts the votes of many on a post whose first six voters have voted. */
export const addVotes = async (postId: string, voters: Person[]): Promise<void> => {
  const summary = await votes.summary(postId);
  if (summary?.first.length !== votes.SEATS) throw new Error("the first votes go one by one");
  const parts = voters.flatMap(({ userId, name, username }) =>
    Object.values(voting.addPlan(postId, { voteId: newId(summary.edge), userId, name, username }, summary)),
  );
  await writeAll(parts, ":one");
};
