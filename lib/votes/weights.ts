import type { Attributes } from "../table/parts.ts";
import { timeOf } from "../values/ids.ts";
import { type Trend, trendOf, weightOf } from "../values/trend.ts";

// The voters item of a post holds the number of votes, and the weights of the post and its votes: the sum of the
// weights of a period is the attribute `w<period>`.

const WEIGHT = /^w(\d+)$/;

// A sum is read as a number, or as a bigint if it is too large for that.
function isSum(value: unknown): value is number | bigint {
  return typeof value === "bigint" || Number.isInteger(value);
}

/** Whether all weights among the attributes of a voters item are sums. */
export function hasWeights(attributes: Attributes): boolean {
  return Object.entries(attributes).every(([name, value]) => !WEIGHT.test(name) || isSum(value));
}

/** The trend that the attributes of a voters item hold. */
export function trendIn(attributes: Attributes): Trend {
  return new Map(
    Object.entries(attributes).flatMap(([name, value]) => {
      const [, period] = WEIGHT.exec(name) ?? [];
      return period !== undefined && isSum(value) ? [[Number(period), BigInt(value)]] : [];
    }),
  );
}

/** The post of a voters item, and what it says of it. */
export type VotedPost = { postId: string; isLocked?: true | undefined };

/** The attributes of the voters item of a new post. */
export function newVoters({ postId, isLocked }: VotedPost) {
  const { period, weight } = weightOf(timeOf(postId));
  return { count: 0, first: {}, [`w${period}`]: weight, ...(isLocked && { isLocked }) };
}

/** The weights of votes: what they add to each attribute `w<period>`. */
export function weightsOf(voteIds: string[]): [name: string, weight: bigint][] {
  return [...trendOf(voteIds.map(timeOf))].map(([period, weight]) => [`w${period}`, weight]);
}

/** How an update of a voters item counts a vote with its weight, or takes it back with `-1`. */
export function countVote(voteId: string, sign: 1 | -1 = 1) {
  const { period, weight } = weightOf(timeOf(voteId));
  return {
    expression: "ADD #count :vote, #weight :weight",
    names: { "#count": "count", "#weight": `w${period}` },
    values: { ":vote": sign, ":weight": BigInt(sign) * weight },
  };
}
