import { isSameShown, type Shown, shownOf } from "../../../lib/accounts/users.ts";
import { key } from "../../../lib/table/keys.ts";
import { timeOf } from "../../../lib/values/ids.ts";
import { trendOf } from "../../../lib/values/trend.ts";
import { SEATS } from "../../../lib/votes/seats.ts";
import { goesWithOther } from "./merges.ts";
import { type Findings, finding, idIn, isOnPost, type StoredTable } from "./stored.ts";

/** Every voters item counts the votes on its post and seats six of them, or all if they are fewer. */
export function* voters(table: StoredTable): Findings {
  const { all } = table;
  const votesOf = Map.groupBy(all("vote"), ({ key: vote }) => idIn(vote.pk));
  for (const { key: stored, value } of all("voters")) {
    const { postId, count, first } = value;
    const ofPost = votesOf.get(postId) ?? [];
    const votes = ofPost.length;
    if (count !== votes) yield finding(stored, `counts ${count} votes and has ${votes}`);
    if (first.length !== Math.min(votes, SEATS)) yield finding(stored, `seats ${first.length} of ${votes} votes`);
    for (const seat of first) {
      const isRight = ofPost.some(({ value: vote }) => vote.voteId === seat.voteId && isSameShown(seat, vote));
      if (!isRight) yield finding(stored, `seats ${seat.userId} unlike the vote ${seat.voteId}`);
    }
  }
}

/** Every post has the weights of itself and its votes. */
export function* weights(table: StoredTable): Findings {
  const votesOf = Map.groupBy(table.all("vote"), ({ key: vote }) => idIn(vote.pk));
  for (const {
    key: stored,
    value: { postId, trend },
  } of table.all("voters")) {
    const votes = (votesOf.get(postId) ?? []).map(({ key: { sk } }) => sk);
    const wanted = trendOf([postId, ...votes].map(timeOf));
    for (const period of new Set([...wanted.keys(), ...trend.keys()])) {
      const sum = wanted.get(period) ?? 0n;
      const found = trend.get(period) ?? 0n;
      if (sum === found) continue;
      yield finding(stored, `has the weight ${found} in period ${period}, its votes have ${sum}`);
    }
  }
}

/** Every vote has its post and its user's vote, and the other way round. A tombstone excuses a missing post. */
export function* votes(table: StoredTable): Findings {
  const { all, at } = table;
  for (const { key: vote, value } of all("vote")) {
    const postId = idIn(vote.pk);
    const isSwept = goesWithOther(table, postId);
    const userVote = at("userVote", key.userVote(value.userId, postId));
    if (!isSwept && !isOnPost(table, postId)) yield finding(vote, "is on no post");
    if (userVote?.voteId !== value.voteId && !(isSwept && !userVote)) yield finding(vote, "is not its user's vote");
  }
  for (const { key: userVote, value } of all("userVote")) {
    // The sweep finds a user's vote by its vote, so a tombstone does not excuse a missing one.
    if (at("vote", key.vote(value.postId, value.voteId))?.userId !== idIn(userVote.pk))
      yield finding(userVote, "has no vote");
  }
}

/**
 * Posts, comments and votes show the name and role of their account, except during a rename or a sweep, and before a
 * merge has moved them.
 */
export function* names(table: StoredTable): Findings {
  const { all, at } = table;
  const beingRenamed = new Set(all("rename").map(({ value }) => value.userId));
  const isRight = (shown: Shown): boolean => {
    const user = at("user", key.user(shown.userId));
    return !user || beingRenamed.has(shown.userId) || isSameShown(shown, shownOf(user));
  };
  const shown = [
    ...[...all("post"), ...all("comment"), ...all("note")].map(({ key, value: { postId, author } }) => {
      return { at: key, postId, by: author };
    }),
    ...all("merged").map(({ key, value: { post } }) => ({ at: key, postId: post.postId, by: post.author })),
    ...all("vote").map(({ key, value }) => ({ at: key, postId: idIn(key.pk), by: value })),
  ];
  const isToMove = (postId: string): boolean => table.has("merged", key.merged(postId));
  for (const { at, postId, by } of shown) {
    const isExempt = goesWithOther(table, postId) || (at.pk.startsWith("VOTES#") && isToMove(postId));
    if (!isRight(by) && !isExempt) yield finding(at, "shows another name or role");
  }
}
