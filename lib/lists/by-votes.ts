import { range } from "../table/keys.ts";
import { firstIdOf, timeOf } from "../values/ids.ts";
import { padded } from "../values/text.ts";
import type { RankOrder } from "./order.ts";

const DIGITS = 7;

// Each number of votes up to this one is counted alone; above it, each doubling is counted in eight steps.
const EXACT = 63;

function stepAt(votes: number): number {
  return 2 ** (31 - Math.clz32(votes) - 3);
}

/** The least number of votes that is counted together with this one. */
function leastOf(votes: number): number {
  return votes <= EXACT ? votes : Math.floor(votes / stepAt(votes)) * stepAt(votes);
}

/**
 * Most votes first, then newest first. A bucket holds the posts of a month with the same number of votes; above 63
 * votes, the posts of all months with some numbers of votes.
 */
export const byVotes: RankOrder = {
  ranking: "TOP",
  descending: true,
  rankDigits: DIGITS,
  rows: (list, bounds) => range.rankRows("TOP", list, bounds),
  counts: (list) => range.rankCounts("TOP", list),
  bucketOf: (month, votes) => padded(Number(votes), DIGITS) + (Number(votes) <= EXACT ? `#${month}` : ""),
  keysOf: (bucket) => {
    const [digits = "", month] = bucket.split("#");
    if (month === undefined) {
      const votes = Number(digits);
      return { start: `${digits}#`, end: `${padded(votes + stepAt(votes), DIGITS)}#` };
    }
    const [year = 0, number = 0] = month.split("-").map(Number);
    const nextMonth = new Date(Date.UTC(year, number)).toISOString().slice(0, 10);
    return { start: `${digits}#${firstIdOf(`${month}-01`)}`, end: `${digits}#${firstIdOf(nextMonth)}` };
  },
  rankOf: (postId, { votes }) => ({
    rowKey: `${padded(votes, DIGITS)}#${postId}`,
    month: new Date(timeOf(postId)).toISOString().slice(0, 7),
    digits: String(leastOf(votes)),
  }),
};
