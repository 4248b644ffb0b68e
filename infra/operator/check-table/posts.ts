import { kbOf } from "../../../lib/posts/comments.ts";
import { key } from "../../../lib/table/keys.ts";
import { numberOf } from "../../../lib/values/words.ts";
import { goesWithOther } from "./merges.ts";
import {
  codesOf,
  differing,
  type Findings,
  finding,
  idIn,
  isBeingSwept,
  isLiveList,
  isOnPost,
  listsOf,
  numberAt,
  type StoredTable,
} from "./stored.ts";

/** Every post has its voters item, its author's entry and its rows, which have their post; boards count their posts. */
export function* posts(table: StoredTable): Findings {
  const { all, at, has } = table;
  for (const { key: stored, value: post } of all("post")) {
    const { postId, author } = post;
    if (!has("voters", key.voters(postId))) yield finding(stored, "has no voters item");
    if (!has("userPost", key.userPost(author.userId, postId))) yield finding(stored, "is not among its author's posts");
    const isPinned = at("pins", key.pins())?.pinned.includes(postId) ?? false;
    if (isPinned !== (post.isPinned ?? false)) yield finding(stored, "differs from the pins in whether it is pinned");
    for (const list of listsOf(table, post)) {
      if (!has("row", { pk: `LIST#${list}`, sk: postId })) yield finding(stored, `has no row in ${list}`);
    }
  }
  const { pinned = [] } = at("pins", key.pins()) ?? {};
  for (const postId of pinned) {
    if (!has("post", key.post(postId))) yield finding(key.pins(), `pins ${postId}, which is no post`);
  }
  for (const { key: voters, value } of all("voters")) {
    const post = at("post", key.post(value.postId));
    if (!has("post", key.post(value.postId))) yield finding(voters, "has no post");
    if (post && post.isLocked !== value.isLocked) yield finding(voters, "differs from its post in what is locked");
  }
  for (const { key: entry } of all("userPost")) {
    const postId = idIn(entry.sk);
    const post = at("post", key.post(postId)) ?? at("merged", key.merged(postId))?.post;
    if (post?.author.userId !== idIn(entry.pk)) yield finding(entry, "is not a post of this user");
  }
  const ofBoard = Map.groupBy(all("post"), ({ value }) => value.boardId ?? "");
  for (const { key: board, value } of all("board")) {
    const posts = ofBoard.get(value.boardId)?.length ?? 0;
    if (value.postCount !== posts) yield finding(board, `counts ${value.postCount} posts and has ${posts}`);
  }
}

/** Every row names a post of its list; the rows of a deleted board, roadmap or tag wait for the sweeper. */
export function* rows(table: StoredTable): Findings {
  for (const { key: row, value } of table.all("row")) {
    const list = idIn(row.pk);
    if (isBeingSwept(table, list)) continue;
    const post = table.at("post", key.post(row.sk));
    if (!post) yield finding(row, "has no post");
    else if (!listsOf(table, post).includes(list)) yield finding(row, "is not where its post is");
    else yield* differing(row, value, list === "ALL" ? {} : codesOf(post));
  }
}

/** A tombstone names something that no longer exists. */
export function* tombstones(table: StoredTable): Findings {
  for (const { key: tombstone } of table.all("tombstone")) {
    const deleted = tombstone.sk;
    const isList = deleted.includes("#");
    const exists = isList ? isLiveList(table, deleted) : table.has("post", key.post(deleted));
    if (exists) yield finding(tombstone, "names something that still exists");
  }
}

/** Every comment and note has its post, which counts it, its row, and its user's entry, which has its comment. */
export function* comments(table: StoredTable): Findings {
  const { all, at, has } = table;
  for (const kind of ["comment", "note"] as const) {
    const stored = all(kind);
    for (const { key: row, value } of all(`${kind}Row`)) {
      const postId = idIn(row.pk);
      const comment = at(kind, key[kind](postId, value.commentId));
      if (!goesWithOther(table, postId) && !comment) yield finding(row, `has no ${kind}`);
    }
    for (const { key: comment, value } of stored) {
      const isSwept = goesWithOther(table, value.postId);
      if (!isSwept && !isOnPost(table, value.postId)) yield finding(comment, "is on no post");
      const row = at(`${kind}Row`, key.commentRow(comment));
      if (!(isSwept && !row) && row?.kb !== kbOf(value.body))
        yield finding(comment, `has the length ${row?.kb} in its row`);
      const entry = at("userComment", key.userComment(value.author.userId, value.commentId));
      const isRight = entry?.postId === value.postId && (entry.internal ?? false) === value.isInternal;
      if (!isRight && !(isSwept && !entry)) yield finding(comment, "is not its user's comment");
    }
    const ofPost = Map.groupBy(stored, ({ value }) => value.postId);
    for (const { key: voters, value } of all("voters")) {
      const counted = kind === "comment" ? value.comments : value.notes;
      const number = ofPost.get(value.postId)?.length ?? 0;
      if (counted !== number) yield finding(voters, `counts ${counted} ${kind}s and has ${number}`);
    }
  }
  const changesOf = Map.groupBy(all("statusChange"), ({ value }) => value.postId);
  for (const { key: voters, value } of all("voters")) {
    const number = changesOf.get(value.postId)?.length ?? 0;
    if (value.statuses !== number)
      yield finding(voters, `counts ${value.statuses} changes of status and has ${number}`);
  }
  for (const { key: change, value } of all("statusChange")) {
    const isLeft = goesWithOther(table, value.postId) || isOnPost(table, value.postId);
    if (!isLeft) yield finding(change, "is on no post");
  }
  for (const { key: hidden } of all("hiddenComment")) {
    const postId = idIn(hidden.pk);
    const isNote = has("note", key.note(postId, hidden.sk.slice(1)));
    if (!goesWithOther(table, postId) && !isNote) yield finding(hidden, "is no note");
  }
  for (const { key: entry, value } of all("userComment")) {
    const kind = value.internal ? "note" : "comment";
    const comment = at(kind, key[kind](value.postId, idIn(entry.sk)));
    if (comment?.author.userId !== idIn(entry.pk)) yield finding(entry, "has no comment");
  }
}

/** Every choice to follow or to leave is of an account, which leads to it, on a post that exists or is being swept. */
export function* subscriptions(table: StoredTable): Findings {
  for (const { key: stored } of table.all("subscription")) {
    const postId = idIn(stored.pk);
    const isSwept = goesWithOther(table, postId);
    if (!isSwept && !isOnPost(table, postId)) yield finding(stored, "is on no post");
    const isBeingErased = table.has("erasure", key.erasure(stored.sk));
    if (!isBeingErased && !table.has("user", key.user(stored.sk))) yield finding(stored, "has no account");
    const isLedTo = table.has("userFollow", key.userFollow(stored.sk, postId));
    if (!isSwept && !isLedTo) yield finding(stored, "is not among its account's choices");
  }
  for (const { key: entry } of table.all("userFollow")) {
    const isThere = table.has("subscription", key.subscription(idIn(entry.sk), idIn(entry.pk)));
    if (!isThere) yield finding(entry, "has no subscription");
  }
}

function sorted(numbers: number[]): string {
  return numbers.toSorted((a, b) => a - b).join(" ");
}

/** The word rows of a post are exactly those that its derived item names. */
export function* words({ all, at, has }: StoredTable): Findings {
  for (const { key: row, value } of all("wordRow")) {
    const derived = at("derivedWords", key.derivedWords(value.postId));
    const isRight =
      derived?.words.includes(value.word) &&
      sorted(value.numbers) === sorted(derived.words.map(numberOf)) &&
      value.units === (derived.units ?? 1) &&
      value.facets.boardId === numberAt(derived.boardId) &&
      value.facets.roadmapId === numberAt(derived.roadmapId) &&
      value.facets.status === derived.status &&
      value.facets.tagIds?.join() === derived.tagIds?.map(numberOf).join();
    if (!isRight) yield finding(row, "differs from its post's derived item");
  }
  for (const { key: derived, value } of all("derivedWords")) {
    const postId = idIn(derived.pk);
    for (const word of value.words)
      if (!has("wordRow", key.wordRow(word, postId))) yield finding(derived, `names ${word}, which has no row`);
  }
}
