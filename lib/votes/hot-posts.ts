import * as z from "zod/mini";
import { stillHas } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { type Part, put, remove, update } from "../table/parts.ts";
import { get } from "../table/reads.ts";
import { transact } from "../table/transactions.ts";
import { anyShard, closeParts, countInShard } from "./shards.ts";
import { SEATS, summary, type Voters, withTotals } from "./votes.ts";
import { adding, type Counting } from "./weights.ts";

// When a post becomes hot, and when no longer: docs/data-model.md#hot-posts

/** How many conflicts a vote meets on the voters item before it makes the post hot. */
export const PATIENCE = 3;

/**
 * Makes a post hot, unless it has free seats: votes that take one write the voters item. First it is noted for the background work
 * that ends this. The two are no single transaction because many try at once: each part would keep the other one waiting.
 */
export async function heat({ postId, hot, epoch, first }: Voters): Promise<void> {
  if (hot || first.length < SEATS) return;
  const now = Date.now();
  // A note that is older may be of a rush before, and about to go.
  const isOld = { if: "attribute_not_exists(pk) OR since < :fresh", values: { ":fresh": now - LOOK_MS / 2 } };
  await transact({ hot: put(key.hot(postId), { since: now }, isOld) });
  await transact(
    {
      voters: update(key.voters(postId), "SET hot = :true, epoch = :epoch", {
        if: `attribute_exists(pk) AND attribute_not_exists(hot) AND size(#first) = :seats AND ${
          epoch === undefined ? "attribute_not_exists(epoch)" : "epoch = :before"
        }`,
        names: { "#first": "first" },
        values: {
          ":true": true,
          ":seats": SEATS,
          ":epoch": (epoch ?? 0) + 1,
          ...(epoch !== undefined && { ":before": epoch }),
        },
      }),
    },
    { patience: PATIENCE },
  );
}

/**
 * Makes a post hot on which several vote at once: `before` is what was read before the conflicts. One account alone, however often it
 * votes and takes its vote back, changes the number by one at most.
 */
async function heatIfOthersVote(before: Voters): Promise<void> {
  const now = await summary(before.postId);
  if (now && Math.abs(now.count - before.count) > 1) await heat(now);
}

/** How votes on a hot post are counted in shards: for who reads the voters after the commit. */
export const inShards = {
  /** After so many conflicts on the voters item the post becomes hot, if others vote on it too. */
  patience: PATIENCE,
  heat: heatIfOthersVote,
  any: anyShard,
  /** The part that counts votes in a shard; in any of them, if none is given. */
  count: ({ postId, epoch = 0 }: Voters, votes: Counting, shard = anyShard()): Part =>
    countInShard(postId, epoch, shard, votes),
};
export type Shards = typeof inShards;

/** Ends that a post is hot: its counters are closed as they are, and the voters item counts all votes again. */
export async function cool({ postId, hot, epoch }: Voters): Promise<"cooled" | "changed meanwhile"> {
  if (!hot || epoch === undefined) return "changed meanwhile";
  const { sum, heat, parts } = await closeParts(postId, epoch);
  const { expression, names, values } = adding(sum, heat);
  const outcome = await transact<string>(
    {
      voters: update(key.voters(postId), `${expression} REMOVE hot, seen`, {
        if: "attribute_exists(hot) AND epoch = :epoch",
        names,
        values: { ...values, ":epoch": epoch },
      }),
      hot: remove(key.hot(postId)),
      ...parts,
    },
    { patience: PATIENCE },
  );
  return outcome.done ? "cooled" : "changed meanwhile";
}

/** How often background work looks at a hot post, in milliseconds. */
export const LOOK_MS = 60_000;

/** The most votes and unvotes, one against the other, between two looks at a post that is hot no longer. */
const FEW = 60;

const HotItem = z.object({ since: z.number() });

/**
 * Looks at a hot post: ends that it is hot once a minute brings few votes. Otherwise the number of votes is noted in the voters
 * item, for the next look and for what follows from votes.
 */
export async function look(postId: string, now = Date.now()): Promise<"done" | { notBefore: number }> {
  const [item, voters] = await Promise.all([get(key.hot(postId), HotItem), summary(postId)]);
  if (!item) return "done";
  if (now < item.since + LOOK_MS) return { notBefore: item.since + LOOK_MS };
  if (!voters?.hot) {
    const { done } = await transact({ hot: remove(key.hot(postId), stillHas(item)) });
    return done ? "done" : { notBefore: now + LOOK_MS };
  }
  const [{ count } = voters] = await withTotals([voters]);
  const isCalm = voters.seen !== undefined && Math.abs(count - voters.seen) < FEW;
  if (isCalm && (await cool(voters)) === "cooled") return "done";
  await transact({
    voters: update(key.voters(postId), "SET seen = :count", {
      if: "attribute_exists(hot)",
      values: { ":count": count },
    }),
  });
  return { notBefore: now + LOOK_MS };
}
