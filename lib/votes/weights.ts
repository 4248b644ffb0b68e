import { timeOf } from "../values/ids.ts";
import { type Trend, trendOf } from "../values/trend.ts";

// The voters item of a post holds the weights of the post and its votes beside the number of votes: the sum of the
// weights of a period is the attribute `w<period>`.

const WEIGHT = /^w(\d+)$/;

type Attributes = Record<string, unknown>;

// A sum is read as a number, or as a bigint if it is too large for that.
function isSum(value: unknown): value is number | bigint {
  return typeof value === "bigint" || Number.isInteger(value);
}

/** Whether all weights among some attributes are integers. */
export function hasWeights(attributes: Attributes): boolean {
  return Object.entries(attributes).every(([name, value]) => !WEIGHT.test(name) || isSum(value));
}

/** The weights among some attributes. */
export function trendIn(attributes: Attributes): Trend {
  return new Map(
    Object.entries(attributes).flatMap(([name, value]) => {
      const [, period] = WEIGHT.exec(name) ?? [];
      return period !== undefined && isSum(value) ? [[Number(period), BigInt(value)]] : [];
    }),
  );
}

/** The attributes of the voters item of a new post. */
export function newVoters(postId: string) {
  const weights = [...trendOf([timeOf(postId)])].map(([period, weight]) => [`w${period}`, weight]);
  return { count: 0, first: {}, ...Object.fromEntries(weights) };
}

/** How an update of a voters item counts some votes with their weights, or takes them back with `-1`. */
export function counting(voteIds: readonly string[], sign: 1 | -1 = 1) {
  const weights = [...trendOf(voteIds.map(timeOf))];
  return {
    expression: `ADD ${["#count :votes", ...weights.map((_, at) => `#weight${at} :weight${at}`)].join(", ")}`,
    names: { "#count": "count", ...Object.fromEntries(weights.map(([period], at) => [`#weight${at}`, `w${period}`])) },
    values: {
      ":votes": sign * voteIds.length,
      ...Object.fromEntries(weights.map(([, weight], at) => [`:weight${at}`, BigInt(sign) * weight])),
    },
  };
}
