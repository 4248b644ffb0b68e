// What `trending` sorts by. A vote at the time t weighs 2^(t/H), H being a week, and so does the post itself at its
// creation. The trending time of a post is H * log2 of the sum of its weights: a point in time, which only votes
// change. The trend time of a new post is its creation, each doubling of its weights puts it a week ahead, and no order
// ever depends on the time at which it is asked for.
//
// Weights are integers, so that a vote takes back exactly what it added. They count from the beginning of a period of
// 90 weeks, the first one began in 1970, each period in a number of its own: 38 digits, which DynamoDB's numbers have,
// hold 33 million votes at the end of a period.

/** A vote counts half as much after this time, in milliseconds. */
const HALF_LIFE_MS = 7 * 86_400_000;

const HALF_LIVES = 90;

// The least weight is 2^10, so that its rounding moves a trending time by minutes at most.
const LEAST_BITS = 10;

/** The sums of weights by period. */
export type Trend = ReadonlyMap<number, bigint>;

/** The weight of a vote at a time (ms since 1970), within the period of the time. */
export function weightOf(time: number): { period: number; weight: bigint } {
  const age = time / HALF_LIFE_MS;
  const period = Math.floor(age / HALF_LIVES);
  const within = age - period * HALF_LIVES;
  const doublings = Math.floor(within);
  return { period, weight: BigInt(Math.round(2 ** (within - doublings + LEAST_BITS))) << BigInt(doublings) };
}

/** The trend of a post with votes at these times. */
export function trendOf(times: readonly number[]): Trend {
  const sums = new Map<number, bigint>();
  for (const { period, weight } of times.map(weightOf)) sums.set(period, (sums.get(period) ?? 0n) + weight);
  return sums;
}

/** The trending time of a post that was created at a time, in milliseconds since 1970. */
export function trendingTime(createdAt: number, trend: Trend): number {
  const logarithms = [...trend].flatMap(([period, sum]) =>
    sum > 0n ? [period * HALF_LIVES + log2(sum) - LEAST_BITS] : [],
  );
  if (logarithms.length === 0) return createdAt;
  const greatest = Math.max(...logarithms);
  const sum = logarithms.reduce((total, logarithm) => total + 2 ** (logarithm - greatest), 0);
  return Math.max(createdAt, Math.round((greatest + Math.log2(sum)) * HALF_LIFE_MS));
}

/** The binary logarithm of a positive integer of any length: of its leading 53 bits, and of how many follow. */
function log2(value: bigint): number {
  const rest = Math.max(0, value.toString(2).length - 53);
  return Math.log2(Number(value >> BigInt(rest))) + rest;
}
