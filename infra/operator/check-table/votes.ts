import { isSameShown, type Shown, shownOf } from "../../../lib/accounts/users.ts";
import { key } from "../../../lib/table/keys.ts";
import { type Heat, heatOf } from "../../../lib/values/heat.ts";
import { timeOf } from "../../../lib/values/ids.ts";
import { SEATS, type VoteRecord } from "../../../lib/votes/votes.ts";
import { heatSum } from "../../../lib/votes/weights.ts";
import { type Findings, finding, groupBy, idIn, isBeingSwept, type StoredTable } from "./stored.ts";

function isSameVote(a: VoteRecord, b: VoteRecord | undefined): boolean {
  return a.voteId === b?.voteId && isSameShown(a, b);
}

/** The post whose votes a partition holds: `VOTES#<post>`, or `VOTES#<post>#<shard>`. */
function postIn(pk: string): string {
  return idIn(pk).split("#", 1)[0] ?? "";
}

function shardIn(pk: string): string | undefined {
  return idIn(pk).split("#")[1];
}

/** The time of being hot that a counter belongs to, in its sort key: `#<epoch>#<number>`. */
function epochIn(sk: string): number {
  return Number(sk.split("#")[1]);
}

/** Every voters item counts the votes on its post, a hot one with its counters, and seats six of them, or all if they are fewer. */
export function* voters(table: StoredTable): Findings {
  const { all } = table;
  const votesOf = groupBy(all("vote"), ({ key: vote }) => postIn(vote.pk));
  const totals = totalsIn(table);
  for (const { key: stored, value } of all("voters")) {
    const { postId, first } = value;
    const ofPost = votesOf.get(postId) ?? [];
    const votes = ofPost.length;
    const counted = totals.get(postId)?.count;
    if (counted !== votes) yield finding(stored, `counts ${counted} votes and has ${votes}`);
    if (first.length !== Math.min(votes, SEATS)) yield finding(stored, `seats ${first.length} of ${votes} votes`);
    for (const seat of first) {
      if (!ofPost.some(({ value: vote }) => isSameVote(seat, vote)))
        yield finding(stored, `seats ${seat.userId} otherwise than the vote ${seat.voteId} says`);
    }
  }
}

/** Every hot post is noted for the background work that ends it. */
export function* hotPosts({ all, has }: StoredTable): Findings {
  for (const { key: stored, value } of all("voters")) {
    if (value.hot && !has("hot", key.hot(value.postId))) yield finding(stored, "is hot, and nothing is to end that");
  }
}

/** Every counter belongs to a post; a tombstone excuses a missing one, and so does it to be closed: closed counters expire. */
export function* counters(table: StoredTable): Findings {
  for (const { key: counter, value } of table.all("counter")) {
    const postId = postIn(counter.pk);
    const voters = table.at("voters", key.voters(postId));
    if (!voters) {
      if (!value.closed && !isBeingSwept(table, postId)) yield finding(counter, "is of no post");
      continue;
    }
    const isInUse = voters.hot === true && epochIn(counter.sk) === voters.epoch;
    if (isInUse && value.closed) yield finding(counter, "is closed, and in use");
    if (!isInUse && !value.closed) yield finding(counter, "is open, and not in use");
  }
}

/** The number of votes on each post with their weights: of a hot one with its counters. */
export function totalsIn(table: StoredTable): Map<string, { count: number; heat: Heat }> {
  const countersOf = groupBy(table.all("counter"), ({ key: counter }) => postIn(counter.pk));
  return new Map(
    table.all("voters").map(({ value: { postId, count, heat, hot, epoch } }) => {
      const inUse = (countersOf.get(postId) ?? []).filter(({ key: { sk } }) => hot && epochIn(sk) === epoch);
      const counted = inUse.reduce((sum, { value }) => sum + (value.count ?? 0), count);
      return [postId, { count: counted, heat: heatSum([heat, ...inUse.map(({ value }) => value.heat)]) }];
    }),
  );
}

/** Every post has the weights of itself and its votes, once migration 2 has given them to old ones. */
export function* weights(table: StoredTable): Findings {
  if ((table.at("model", key.model())?.version ?? 2) < 2) return;
  const votesOf = groupBy(table.all("vote"), ({ key: vote }) => postIn(vote.pk));
  for (const [postId, { heat }] of totalsIn(table)) {
    const votes = (votesOf.get(postId) ?? []).map(({ key: { sk } }) => sk);
    const wanted = heatOf([postId, ...votes].map(timeOf));
    for (const epoch of new Set([...wanted.keys(), ...heat.keys()])) {
      const [sum, found] = [wanted.get(epoch) ?? 0n, heat.get(epoch) ?? 0n];
      if (sum === found) continue;
      yield finding(key.voters(postId), `has the heat ${found} in epoch ${epoch}, its votes have ${sum}`);
    }
  }
}

/** Every vote belongs to a post and to its user's votes, and the other way round; a tombstone excuses the missing post. */
export function* votes(table: StoredTable): Findings {
  const { all, at, has } = table;
  const voteIn = ({ postId, voteId, shard }: { postId: string; voteId: string; shard?: number | undefined }) =>
    at("vote", { pk: shard === undefined ? `VOTES#${postId}` : `VOTES#${postId}#${shard}`, sk: voteId });
  for (const { key: vote, value } of all("vote")) {
    const postId = postIn(vote.pk);
    const isSwept = isBeingSwept(table, postId);
    const userVote = at("userVote", key.userVote(value.userId, postId));
    if (!isSwept && !has("post", key.post(postId))) yield finding(vote, "is on no post");
    const isItsVote = userVote?.voteId === value.voteId && String(userVote.shard) === String(shardIn(vote.pk));
    if (!isItsVote && !(isSwept && !userVote)) yield finding(vote, "is not its user's vote");
  }
  for (const { key: userVote, value } of all("userVote")) {
    // The sweeper finds a user's vote by its vote alone, so a tombstone is no excuse here.
    if (voteIn(value)?.userId !== idIn(userVote.pk)) yield finding(userVote, "has no vote");
  }
}

/** Posts, comments and votes show the name and role of their account, unless a rename is under way or they are being swept. */
export function* names(table: StoredTable): Findings {
  const { all, at } = table;
  const beingRenamed = new Set(all("rename").map(({ value }) => value.userId));
  const isRight = (shown: Shown): boolean => {
    const user = at("user", key.user(shown.userId));
    return !user || beingRenamed.has(shown.userId) || isSameShown(shown, shownOf(user));
  };
  for (const { key: post, value } of all("post"))
    if (!isRight(value.author)) yield finding(post, "shows another name or role");
  for (const { key: comment, value } of [...all("comment"), ...all("note")]) {
    if (!isRight(value.author) && !isBeingSwept(table, value.postId)) {
      yield finding(comment, "shows another name or role");
    }
  }
  for (const { key: vote, value } of all("vote")) {
    if (!isRight(value) && !isBeingSwept(table, postIn(vote.pk))) yield finding(vote, "shows another name or role");
  }
}
