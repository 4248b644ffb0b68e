import { type Heat, heatOf } from "../values/heat.ts";
import { timeOf } from "../values/ids.ts";

// How the weights of votes are stored, beside the number of votes in the voters item. The sum of the weights of an epoch is the
// attribute `h<epoch>`.

const HEAT = /^h(\d+)$/;

type Attributes = Record<string, unknown>;

/** The attributes of some weights. */
export function heatFields(heat: Heat): Record<string, bigint> {
  return Object.fromEntries([...heat].map(([epoch, sum]) => [`h${epoch}`, sum]));
}

// A sum is read as a number, or as a bigint if it is too large for that.
function isSum(value: unknown): value is number | bigint {
  return typeof value === "bigint" || Number.isInteger(value);
}

/** Whether all that has the name of a sum is one. */
export function hasWeights(attributes: Attributes): boolean {
  return Object.entries(attributes).every(([name, value]) => !HEAT.test(name) || isSum(value));
}

/** The weights among some attributes. */
export function heatIn(attributes: Attributes): Heat {
  return new Map(
    Object.entries(attributes).flatMap(([name, value]) => {
      const [, epoch] = HEAT.exec(name) ?? [];
      return epoch !== undefined && isSum(value) ? [[Number(epoch), BigInt(value)]] : [];
    }),
  );
}

// Longer than a request lasts, and than clocks differ.
const NEAR_MS = 60_000;

/** The attributes that a vote which is being cast now may add to, as absent: at the border of two epochs those of both. */
export function noHeatNow(now = Date.now()): Record<string, undefined> {
  return Object.fromEntries(
    [...heatOf([now - NEAR_MS, now + NEAR_MS]).keys()].map((epoch) => [`h${epoch}`, undefined]),
  );
}

/** The sum of some weights. */
export function heatSum(heats: readonly Heat[]): Heat {
  const sums = new Map<number, bigint>();
  for (const [epoch, sum] of heats.flatMap((heat) => [...heat])) sums.set(epoch, (sums.get(epoch) ?? 0n) + sum);
  return sums;
}

/** The attributes of the voters item of a new post. */
export function newVoters(postId: string) {
  return { count: 0, first: {}, ...heatFields(heatOf([timeOf(postId)])) };
}

/** The weights of some votes. */
export function weightsOf(voteIds: readonly string[]): Heat {
  return heatOf(voteIds.map(timeOf));
}

/** What an update adds to a number of votes and to their weights. */
export type Counting = {
  expression: string;
  names: Record<string, string>;
  values: Record<string, number | bigint>;
};

/** How an update adds a number of votes and their weights. */
export function adding(votes: number, heat: Heat): Counting {
  const weights = [...heat].map(([epoch, weight], at) => ({ name: `#heat${at}`, field: `h${epoch}`, at, weight }));
  return {
    expression: `ADD ${["#count :votes", ...weights.map(({ name, at }) => `${name} :heat${at}`)].join(", ")}`,
    names: { "#count": "count", ...Object.fromEntries(weights.map(({ name, field }) => [name, field])) },
    values: { ":votes": votes, ...Object.fromEntries(weights.map(({ at, weight }) => [`:heat${at}`, weight])) },
  };
}

/** How an update counts some votes, or takes them back with `-1`. */
export function counting(voteIds: readonly string[], sign: 1 | -1 = 1): Counting {
  const heat = [...weightsOf(voteIds)].map(([epoch, weight]) => [epoch, weight * BigInt(sign)] as const);
  return adding(sign * voteIds.length, new Map(heat));
}
