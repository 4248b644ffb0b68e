import * as z from "zod/mini";
import { stillHas } from "../table/changes.ts";
import { EXPIRY_ATTRIBUTE, type Key, key, range } from "../table/keys.ts";
import { type Condition, type Part, update } from "../table/parts.ts";
import { getRange } from "../table/reads.ts";
import type { Heat } from "../values/heat.ts";
import { type Counting, hasWeights, heatFields, heatIn, heatSum, noHeatNow } from "./weights.ts";

// While a post is hot, its votes are spread over shards: partitions of their own, each with some counters. A vote then writes one
// counter instead of the voters item, on which all votes would meet. docs/data-model.md#hot-posts

/** The partitions over which the votes of a hot post are spread: each takes 1,000 W a second, a vote writes 4 of them. */
export const SHARDS = 8;

/** The counters of a shard: with 32 in all, 500 votes a second meet on one of them now and then. */
export const COUNTERS = 4;

/** The numbers of all shards. */
export const shardNumbers = Array.from({ length: SHARDS }, (_, shard) => shard);
const counterNumbers = Array.from({ length: COUNTERS }, (_, number) => number);

function anyOf(numbers: readonly number[]): number {
  return numbers[Math.floor(Math.random() * numbers.length)] ?? 0;
}

/** The shard that a new vote goes to. */
export function anyShard(): number {
  return anyOf(shardNumbers);
}

/** Parses a stored counter. A closed one takes no more votes and keeps its count, which then stands in the voters item too. */
export const CounterItem = z.pipe(
  z
    .looseObject({
      pk: z.string(),
      sk: z.string().check(z.startsWith("#")),
      count: z.optional(z.number()),
      closed: z.optional(z.literal(true)),
    })
    .check(z.refine(hasWeights)),
  z.transform(({ pk, sk, count, closed, ...others }) => ({ pk, sk, count, closed, heat: heatIn(others) })),
);
type Counter = z.output<typeof CounterItem>;

/** The part that counts votes in a shard; its condition fails once the post is no longer hot, or is being swept. */
export function countInShard(postId: string, epoch: number, shard: number, votes: Counting): Part {
  const { expression, names, values } = votes;
  return update(key.counter(postId, epoch, shard, anyOf(counterNumbers)), expression, {
    if: "attribute_not_exists(closed)",
    names,
    values,
  });
}

/** The sum of some counters. */
export function sumOf(counters: Pick<Counter, "count">[]): number {
  return counters.reduce((sum, { count = 0 }) => sum + count, 0);
}

async function countersOf(postId: string, epoch: number): Promise<Counter[][]> {
  return Promise.all(shardNumbers.map((shard) => getRange(range.counters(postId, epoch, shard), CounterItem)));
}

/** The sums of the counters of a post: a Query of each shard, side by side. */
export async function countOf(postId: string, epoch: number): Promise<{ count: number; heat: Heat }> {
  const counters = (await countersOf(postId, epoch)).flat();
  return { count: sumOf(counters), heat: heatSum(counters.map(({ heat }) => heat)) };
}

// Closed counters are needed as long as a request may hold what it read before: seconds. DynamoDB drops them later.
const KEPT_SECONDS = 24 * 60 * 60;

/** How a counter is closed. */
export function closing() {
  return {
    expression: "SET closed = :true, #expiry = :expiry",
    names: { "#expiry": EXPIRY_ATTRIBUTE },
    values: { ":true": true, ":expiry": Math.floor(Date.now() / 1000) + KEPT_SECONDS },
  };
}

/** The keys of all counters of a post. */
export function counterKeys(postId: string, epoch: number): Key[] {
  return shardNumbers.flatMap((shard) => counterNumbers.map((number) => key.counter(postId, epoch, shard, number)));
}

/** Condition: a counter is as it was read. A vote that came and another that went leave the number as it was, but not the weights. */
function countedAs(counter: Counter): Condition {
  return stillHas({ count: counter.count, ...noHeatNow(), ...heatFields(counter.heat) });
}

/** The parts that close all counters of a post as they are now, and their sums. */
export async function closeParts(
  postId: string,
  epoch: number,
): Promise<{ sum: number; heat: Heat; parts: Record<string, Part> }> {
  const counters = (await countersOf(postId, epoch)).flat();
  const { expression, names, values } = closing();
  const parts: Record<string, Part> = {};
  for (const at of counterKeys(postId, epoch)) {
    const counter = counters.find(({ pk, sk }) => pk === at.pk && sk === at.sk);
    const asRead = counter && countedAs(counter);
    parts[`${at.pk} ${at.sk}`] = !asRead
      ? update(at, expression, { if: "attribute_not_exists(pk)", names, values })
      : update(at, expression, {
          if: `${asRead.if} AND attribute_not_exists(closed)`,
          names: { ...names, ...asRead.names },
          values: { ...values, ...asRead.values },
        });
  }
  return { sum: sumOf(counters), heat: heatSum(counters.map(({ heat }) => heat)), parts };
}
