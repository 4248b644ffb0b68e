import { key } from "../../../lib/data/keys.ts";
import { create, type Part, update } from "../../../lib/data/parts.ts";
import * as posts from "../../../lib/data/posts.ts";
import { transact } from "../../../lib/data/transactions.ts";
import { type Person, shownOf } from "../../../lib/data/users.ts";
import { wordParts } from "../../../lib/data/word-rows.ts";
import { newId } from "../../../lib/values/ids.ts";

// Fills a table faster than request by request: the parts of many posts go into one transaction, and what adds to one item is
// summed up first. Votes in bulk: `castAll` of lib/data/voting.ts.

// The most parts of one transaction.
const MAX_PARTS = 100;

/** Does the same work for each item, a few at a time. */
export const eachOf = async <T>(items: readonly T[], work: (item: T) => Promise<unknown>, width = 4): Promise<void> => {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const item of queue) await work(item);
    }),
  );
};

const write = async (parts: Part[]): Promise<void> => {
  const { done } = await transact(Object.fromEntries(parts.entries()));
  if (!done) throw new Error("a condition failed");
};

/** Adds up the updates of the same item by the same expression: they differ in `:change` only. */
const summed = (parts: Part[]): Part[] => {
  const sums = new Map<string, Part>();
  for (const { Update } of parts) {
    if (!Update) continue;
    const { Key, UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues: values = {} } = Update;
    const name = JSON.stringify([Key, UpdateExpression, ExpressionAttributeNames]);
    const before = sums.get(name)?.Update?.ExpressionAttributeValues?.[":change"] ?? 0;
    sums.set(name, {
      Update: { ...Update, ExpressionAttributeValues: { ...values, ":change": before + values[":change"] } },
    });
  }
  return [...sums.values()];
};

const inBatches = (parts: Part[]): Part[][] =>
  Array.from({ length: Math.ceil(parts.length / MAX_PARTS) }, (_, index) =>
    parts.slice(index * MAX_PARTS, (index + 1) * MAX_PARTS),
  );

/** Writes the word rows of many new posts, and what they say. */
export const addWords = async (records: posts.PostRecord[]): Promise<void> => {
  const parts = records.flatMap((record) => Object.values(wordParts(record.postId, record, undefined)));
  await eachOf(inBatches(parts.filter(({ Put }) => Put)), write);
};

/** Creates many posts. */
export const addPosts = async (records: posts.PostRecord[]): Promise<void> => {
  const parts = records.flatMap((record) => Object.values(posts.newPostParts(record)));
  const puts = parts.filter(({ Put }) => Put);
  await eachOf(inBatches(puts), write);
  await eachOf(summed(parts), (part) => write([part]));
};

// A comment and what leads to it, beside the count.
const COMMENTS = (MAX_PARTS - 2) / 2;

/** Adds many comments of one author to a post, the last one the newest. */
export const addComments = async (postId: string, author: Person, bodies: string[]): Promise<void> => {
  for (let start = 0; start < bodies.length; start += COMMENTS) {
    const some = bodies.slice(start, start + COMMENTS);
    const parts = some.flatMap((body) => {
      const commentId = newId();
      return [
        create(key.comment(postId, commentId), { author: shownOf(author), body }),
        create(key.userComment(author.userId, commentId), { postId }),
      ];
    });
    const counted = { if: "attribute_exists(pk)", names: { "#n": "comments" }, values: { ":n": some.length } };
    await write([...parts, update(key.voters(postId), "ADD #n :n", counted)]);
  }
};
