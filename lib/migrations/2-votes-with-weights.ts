import * as z from "zod/mini";
import { setFields, stillHas } from "../table/changes.ts";
import { StoreUnavailable } from "../table/client.ts";
import { type Key, postIdIn, range, VOTERS_SUFFIX } from "../table/keys.ts";
import type { Part } from "../table/parts.ts";
import { get, getRange } from "../table/reads.ts";
import { type Heat, heatOf } from "../values/heat.ts";
import { timeOf } from "../values/ids.ts";
import { heatFields, heatIn, noHeatNow } from "../votes/weights.ts";
import type { Migration, StoredItem } from "./migration.ts";

const VoteId = z.pipe(
  z.object({ sk: z.string() }),
  z.transform(({ sk }) => sk),
);

/**
 * Gives voters items the weights of their post and its votes. Votes that come and go meanwhile change the number of votes or some
 * weight, and then it looks again. `keep` hears of each change from the stream, and ranks the post.
 */
export const votesWithWeights: Migration = {
  title: "add up the weights of votes in voters items",
  walks: range.posts(),
  table: { POSTS: ["query", "get", "update"], VOTES: ["query"] },
  change: async (item) => (item.sk.endsWith(VOTERS_SUFFIX) ? weighing(item) : undefined),
};

// An item that has as many looks counted the same other number of votes than there are counts wrongly.
const LOOKS = 5;

// As many looks at a post that changes all the time: then the migration goes on later.
const MAX_LOOKS = 30;

const Item = z.looseObject({ count: z.number() });
type Voters = z.output<typeof Item>;

function isSame(a: Voters, b: Voters): boolean {
  return a.count === b.count && sameHeat(heatIn(a), heatIn(b));
}

function sameHeat(a: Heat, b: Heat): boolean {
  return a.size === b.size && [...a].every(([epoch, sum]) => b.get(epoch) === sum);
}

async function weighing({ pk, sk }: StoredItem): Promise<Record<string, Part> | undefined> {
  const postId = postIdIn(sk);
  const read = () => get({ pk, sk }, Item);
  let before = await read();
  for (let look = 0, wrong = 0; look < MAX_LOOKS; look++) {
    if (!before) return undefined;
    const voteIds = await getRange(range.votes(postId), VoteId);
    const after = await read();
    // Read before the votes and after them, the item says that these were all votes at one moment.
    if (after && isSame(before, after)) {
      if (after.count === voteIds.length) return weightsParts({ pk, sk }, after.count, heatIn(after), voteIds);
      // check-table names it. It is left alone, so that the migration does not end here.
      if (++wrong === LOOKS) return undefined;
    }
    before = after;
  }
  throw new StoreUnavailable("many vote on a post whose votes are to be weighed");
}

/** The part that writes the weights of votes, if the votes are still those; none if they are there. */
function weightsParts(at: Key, count: number, heat: Heat, voteIds: string[]): Record<string, Part> | undefined {
  const wanted = heatOf([postIdIn(at.sk), ...voteIds].map(timeOf));
  const epochs = [...heat.keys(), ...wanted.keys()];
  if (epochs.every((epoch) => (heat.get(epoch) ?? 0n) === (wanted.get(epoch) ?? 0n))) return undefined;
  const absent = { ...noHeatNow(), ...Object.fromEntries(epochs.map((epoch) => [`h${epoch}`, undefined])) };
  const asRead = stillHas({ count, ...absent, ...heatFields(heat) });
  return { voters: setFields(at, { ...absent, ...heatFields(wanted) }, asRead) };
}
