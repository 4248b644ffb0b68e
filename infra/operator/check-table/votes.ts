import { isSameShown, type Shown, shownOf } from "../../../lib/accounts/users.ts";
import { key } from "../../../lib/table/keys.ts";
import { timeOf } from "../../../lib/values/ids.ts";
import { trendOf } from "../../../lib/values/trend.ts";
import { SEATS, type VoteRecord } from "../../../lib/votes/votes.ts";
import { type Findings, finding, groupBy, idIn, isBeingSwept, type StoredTable } from "./stored.ts";

function isSameVote(a: VoteRecord, b: VoteRecord | undefined): boolean {
  return a.voteId === b?.voteId && isSameShown(a, b);
}

/** Every voters item counts the votes on its post and seats six of them, or all if they are fewer. */
export function* voters(table: StoredTable): Findings {
  const { all } = table;
  const votesOf = groupBy(all("vote"), ({ key: vote }) => idIn(vote.pk));
  for (const { key: stored, value } of all("voters")) {
    const { postId, count, first } = value;
    const ofPost = votesOf.get(postId) ?? [];
    const votes = ofPost.length;
    if (count !== votes) yield finding(stored, `counts ${count} votes and has ${votes}`);
    if (first.length !== Math.min(votes, SEATS)) yield finding(stored, `seats ${first.length} of ${votes} votes`);
    for (const seat of first) {
      if (!ofPost.some(({ value: vote }) => isSameVote(seat, vote)))
        yield finding(stored, `seats ${seat.userId} otherwise than the vote ${seat.voteId} says`);
    }
  }
}

/** Every post has the weights of itself and its votes. */
export function* weights(table: StoredTable): Findings {
  const votesOf = groupBy(table.all("vote"), ({ key: vote }) => idIn(vote.pk));
  for (const {
    key: stored,
    value: { postId, trend },
  } of table.all("voters")) {
    const votes = (votesOf.get(postId) ?? []).map(({ key: { sk } }) => sk);
    const wanted = trendOf([postId, ...votes].map(timeOf));
    for (const period of new Set([...wanted.keys(), ...trend.keys()])) {
      const [sum, found] = [wanted.get(period) ?? 0n, trend.get(period) ?? 0n];
      if (sum === found) continue;
      yield finding(stored, `has the weight ${found} in period ${period}, its votes have ${sum}`);
    }
  }
}

/** Every vote belongs to a post and to its user's votes, and the other way round; a tombstone excuses the missing post. */
export function* votes(table: StoredTable): Findings {
  const { all, at, has } = table;
  for (const { key: vote, value } of all("vote")) {
    const postId = idIn(vote.pk);
    const isSwept = isBeingSwept(table, postId);
    const userVote = at("userVote", key.userVote(value.userId, postId));
    if (!isSwept && !has("post", key.post(postId))) yield finding(vote, "is on no post");
    if (userVote?.voteId !== value.voteId && !(isSwept && !userVote)) yield finding(vote, "is not its user's vote");
  }
  for (const { key: userVote, value } of all("userVote")) {
    // The sweeper finds a user's vote by its vote alone, so a tombstone is no excuse here.
    if (at("vote", key.vote(value.postId, value.voteId))?.userId !== idIn(userVote.pk))
      yield finding(userVote, "has no vote");
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
    if (!isRight(value) && !isBeingSwept(table, idIn(vote.pk))) yield finding(vote, "shows another name or role");
  }
}
