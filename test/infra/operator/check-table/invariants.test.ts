import { beforeAll, describe, expect, it } from "vitest";
import { findingsIn, scan } from "../../../../infra/operator/check-table/check.ts";
import type { ApiKeyRecord } from "../../../../lib/accounts/api-keys.ts";
import * as site from "../../../../lib/accounts/site.ts";
import { shownOf } from "../../../../lib/accounts/users.ts";
import { newAccount } from "../../../../lib/auth/accounts.ts";
import * as boards from "../../../../lib/catalogue/boards.ts";
import type * as roadmaps from "../../../../lib/catalogue/roadmaps.ts";
import * as statuses from "../../../../lib/catalogue/statuses.ts";
import { derive } from "../../../../lib/cleanup/derived-rows.ts";
import * as posts from "../../../../lib/posts/posts.ts";
import { familyOf, type Key, key } from "../../../../lib/table/keys.ts";
import { allPosts, boardList, nameOf, roadmapList } from "../../../../lib/table/post-lists.ts";
import { dayOf, idAt, newId } from "../../../../lib/values/ids.ts";
import { wordsOf } from "../../../../lib/values/words.ts";
import type { VoteRecord } from "../../../../lib/votes/votes.ts";
import * as world from "../../../support/world/fixtures.ts";

type Item = Awaited<ReturnType<typeof scan>>[number];

// A table with something of every kind, at rest: one post with nine votes, one that was deleted with three, a deleted
// board.
let items: Item[];
let author: world.Person;
let board: boards.BoardRecord;
let removedBoard: boards.BoardRecord;
let roadmap: roadmaps.RoadmapRecord;
let post: posts.PostRecord;
let deleted: posts.PostRecord;
let cast: VoteRecord[];
let apiKey: ApiKeyRecord;

beforeAll(async () => {
  const owner = newAccount("owner@example.com", "Ada", "owner");
  await site.setUp("Feedback", owner, "no password", site.firstBoard(newId()));
  [author, board, removedBoard] = [await world.aMember(), await world.aBoard(), await world.aBoard()];
  roadmap = await world.aRoadmap();
  const placed = { boardId: board.boardId, roadmapId: roadmap.roadmapId };
  const open = await world.aPost(author, { ...placed, response: { text: "Next month", status: "a", at: 0 } });
  post = (await posts.setStatus(open, { letter: "a" })) as posts.PostRecord;
  await statuses.replace(await statuses.read(), [{ statusId: "open", name: "New", color: "00aaff", kind: "open" }]);
  cast = [];
  for (let n = 0; n < 9; n++) cast.push(await world.aVote(post.postId, world.aStranger()));
  apiKey = (await world.aKey(author)).record;
  await world.aComment(post.postId, author);
  await world.aComment(post.postId, author, { isInternal: true });
  const elsewhere = { boardId: removedBoard.boardId, roadmapId: roadmap.roadmapId };
  await world.aPost(author, { ...elsewhere, at: Date.parse("2026-01-31") });
  await boards.remove(removedBoard);
  deleted = await world.aPost(author, placed);
  for (let n = 0; n < 3; n++) await world.aVote(deleted.postId, world.aStranger());
  await posts.destroy(deleted);
  await derive(post.postId);
  items = await scan();
});

function nth(n: number): VoteRecord {
  return cast[n] as VoteRecord;
}

function sameKey(a: Key, b: Key): boolean {
  return a.pk === b.pk && a.sk === b.sk;
}

function itemAt(wanted: Key): Item {
  const item = items.find((each) => sameKey(each, wanted));
  if (!item) throw new Error(`there is no ${wanted.pk} | ${wanted.sk}`);
  return item;
}

function without(key: Key): Item[] {
  return items.filter((item) => !sameKey(item, key));
}

function problemsIn(some: Item[]): string[] {
  return findingsIn(some).map(({ problem }) => problem);
}

function changed(key: Key, change: (item: Item) => object): string[] {
  const item = structuredClone(itemAt(key));
  return problemsIn([...without(key), { ...item, ...change(item) } as Item]);
}

function withMore(key: Key, item: object = {}): string[] {
  return problemsIn([...items, { ...item, ...key }]);
}

describe("the check of a whole table", () => {
  it("finds nothing in a sound table, with tombstones waiting", () => {
    expect(findingsIn(items)).toEqual([]);
    expect(new Set(items.map(({ pk }) => familyOf(pk))).size).toBe(27);
  });

  it("notices every missing item, except those that may be deleted alone", () => {
    const unnoticed = items.filter((item) => findingsIn(without(item)).length === 0);
    // Sent mails, expired and announced events, the owner's own statuses, a site before setup, the items that a sweep
    // deletes one by one.
    const free = (item: Item) =>
      ["OUTBOX", "EVENTS", "NEWS", "SITE"].includes(item.pk) ||
      item.sk === "STATUSES" ||
      item.pk.endsWith(`#${nameOf(boardList(removedBoard.boardId))}`) ||
      item.sk === `VOTE#${deleted.postId}`;
    expect(unnoticed.filter((item) => !free(item))).toEqual([]);
    expect(unnoticed.length).toBeGreaterThan(6);
  });

  it("reports items of no kind and items that do not parse, with their keys", () => {
    expect(findingsIn([...items, { pk: "POSTS", sk: "nonsense" }])).toEqual([
      { at: "POSTS | nonsense", problem: "is of no kind that the data model knows" },
    ]);
    expect(withMore({ pk: "ELSE#1", sk: "ELSE" })).toHaveLength(1);
    const broken = changed(key.username(author.username), () => ({ userId: 7 }));
    expect(broken.some((problem) => problem.startsWith("does not parse"))).toBe(true);
  });

  it("notices a wrong number of votes, of posts and of a day", () => {
    const voters = key.voters(post.postId);
    expect(changed(voters, () => ({ count: 8 }))).toContain("counts 8 votes and has 9");
    expect(changed(key.board(board.boardId), () => ({ postCount: 2 }))).toContain("counts 2 posts and has 1");
    const day = dayOf(post.postId);
    const counts = key.dayCounts(roadmapList(roadmap.roadmapId), day.slice(0, 7));
    const wrong = `counts 3 rows in ${day.slice(8)} and has 1`;
    expect(changed(counts, () => ({ [day.slice(8)]: 3 }))).toContain(wrong);
    expect(changed(counts, () => ({ today: 3 })).at(0)).toMatch(/^does not parse/);
  });

  it("notices a wrong number of API keys, and a key without an account", () => {
    const account = key.user(author.userId);
    expect(changed(account, () => ({ apiKeys: 2 }))).toEqual(["counts 2 API keys and there are 1"]);
    expect(changed(account, () => ({ apiKeys: undefined }))).toEqual(["counts 0 API keys and there are 1"]);
    const { keyId, ...fields } = apiKey;
    expect(withMore(key.apiKey(author.userId, newId()), fields)).toEqual(["counts 1 API keys and there are 2"]);
    expect(withMore(key.apiKey(newId(), keyId), fields)).toEqual(["has no account"]);
  });

  it("notices word rows that differ from the words of their post", () => {
    const [word = ""] = wordsOf(post.title);
    const row = key.wordRow(word, post.postId);
    const wrong = "differs from its post's derived item";
    expect(changed(row, () => ({ s: "b" }))).toEqual([wrong]);
    expect(changed(row, () => ({ b: 7 }))).toEqual([wrong]);
    expect(changed(row, () => ({ w: new Uint8Array(8) }))).toEqual([wrong]);
    expect(withMore(key.wordRow("other", post.postId), { w: new Uint8Array() })).toEqual([wrong]);
  });

  it("notices a row, a count and a post of another status, and a list that names one twice", () => {
    const day = dayOf(post.postId);
    const counts = key.dayCounts(allPosts, day.slice(0, 7));
    const name = `${day.slice(8)}a`;
    expect(changed(counts, () => ({ [name]: 0 }))).toEqual([`counts 0 rows in ${name} and has 1`]);
    expect(changed(counts, () => ({ [name]: undefined }))[0]).toMatch(/^counts undefined/);
    const [ofRow, ofPost] = [key.listRow(allPosts, post.postId), key.post(post.postId)];
    expect(changed(ofRow, () => ({ status: "b" }))).toContain("has the status b instead of a");
    expect(changed(ofPost, () => ({ status: "z" }))).toContain("has the status z, which is not in the list");
    const list = (change: (all: statuses.StatusRecord[]) => object[]) =>
      changed(key.statuses(), (item) => ({ statuses: change(item.statuses as statuses.StatusRecord[]) }));
    expect(list((all) => [...all, ...all.slice(0, 1)])).toEqual(["names a status twice"]);
    expect(list((all) => all.map(({ letter: _, ...status }) => status)).length).toBeGreaterThan(0);
    const withoutA = list((all) => all.filter(({ letter }) => letter !== "a"));
    expect(withoutA).toContain("has the status a, which is not in the list");
  });

  it("notices a seat of another voter or under another name, one too few and one too many", () => {
    const voters = key.voters(post.postId);
    type Seats = Record<string, { v: string; n: string; u: string }>;
    const seat = ({ voteId, name, username }: VoteRecord) => ({ v: voteId, n: name, u: username });
    const withSeats = (change: (first: Seats) => void) =>
      changed(voters, ({ first }) => {
        change(first as Seats);
        return { first };
      });
    const [fifth, seventh] = [nth(5), nth(6)];
    const wrongSeat = ({ userId, voteId }: VoteRecord) => [`seats ${userId} unlike the vote ${voteId}`];
    expect(withSeats((first) => Object.assign(first[fifth.userId] as object, { n: "Eve" }))).toEqual(wrongSeat(fifth));
    expect(withSeats((first) => Reflect.deleteProperty(first, fifth.userId))).toEqual(["seats 5 of 9 votes"]);
    const tooMany = withSeats((first) => Object.assign(first, { [seventh.userId]: seat(seventh) }));
    expect(tooMany).toEqual(["seats 7 of 9 votes"]);
    const stranger = { ...shownOf(world.aStranger()), voteId: newId() };
    const another = withSeats((first) => {
      Reflect.deleteProperty(first, fifth.userId);
      first[stranger.userId] = seat(stranger);
    });
    expect(another).toEqual(wrongSeat(stranger));
    // Any six votes may be seated.
    const swapped = withSeats((first) => {
      Reflect.deleteProperty(first, fifth.userId);
      first[nth(8).userId] = seat(nth(8));
    });
    expect(swapped).toEqual([]);
  });

  it("notices votes without a post or without their user's vote, and user's votes without a vote", () => {
    const [stray, postId, voter] = [newId(), newId(), world.aStranger()];
    const { name, username, userId } = voter;
    expect(withMore(key.vote(postId, stray), { name, username, userId })).toContain("is on no post");
    expect(withMore(key.vote(post.postId, stray), { name, username, userId })).toContain("is not its user's vote");
    // A tombstone excuses the votes of its post, but not one that its sweep cannot find.
    expect(withMore(key.userVote(userId, deleted.postId), { voteId: stray })).toContain("has no vote");
    expect(changed(key.userVote(nth(7).userId, post.postId), () => ({ voteId: stray }))).toContain("has no vote");
  });

  it("notices comments that are not counted, on no post, without a row, or not their user's", () => {
    const voters = key.voters(post.postId);
    expect(changed(voters, () => ({ comments: 2 }))).toEqual(["counts 2 comments and has 1"]);
    expect(changed(voters, () => ({ notes: 0 }))).toEqual(["counts 0 notes and has 1"]);
    const [id, body] = [newId(), "text"];
    const comment = { author: shownOf(author), body };
    expect(withMore(key.comment(newId(), id), comment)).toEqual([
      "is on no post",
      "has the length undefined in its row",
      "is not its user's comment",
    ]);
    expect(withMore(key.commentRow(key.note(post.postId, id)), { kb: 1 })).toEqual(["has no note"]);
    expect(withMore(key.hiddenComment(post.postId, id))).toEqual(["is no note"]);
    const row = items.find(({ pk, sk }) => pk.startsWith("ACTIVITY#") && sk.startsWith("#"));
    expect(changed(row as Item, () => ({ kb: 2 }))).toEqual(["has the length 2 in its row"]);
    expect(withMore(key.userComment(author.userId, id), { postId: post.postId })).toEqual(["has no comment"]);
    const [entry] = items.filter(({ sk, internal }) => sk.startsWith("COMMENT#") && internal);
    expect(changed(entry as Item, () => ({ internal: undefined }))).toEqual([
      "is not its user's comment",
      "has no comment",
    ]);
  });

  it("notices rows, counts, claims and entries that belong to nothing", () => {
    const id = newId();
    const strays: [Key, object, problem: string][] = [
      [key.listRow(allPosts, id), {}, "has no post"],
      [key.listRow(boardList(id), post.postId), {}, "is not where its post is"],
      [key.dayCounts(boardList(id), "2026-01"), {}, "counts a list that does not exist"],
      [key.listRow(allPosts, idAt(0)), {}, "is not counted"],
      [key.email("eve@example.com"), { userId: author.userId }, "is not the address of an account"],
      [key.username("eve_12345678"), { userId: id }, "is not the username of an account"],
      [key.boardUrl("other"), { boardId: board.boardId }, "is not the url of a board"],
      [key.roadmapUrl("other"), { roadmapId: id }, "is not the url of a roadmap"],
      [key.userPost(world.aStranger().userId, post.postId), {}, "is not a post of this user"],
      [key.tombstone(post.postId), {}, "names something that still exists"],
      [key.tombstone(nameOf(boardList(board.boardId))), {}, "names something that still exists"],
    ];
    for (const [at, item, problem] of strays) expect(withMore(at, item)).toContain(problem);
    const row = key.listRow(roadmapList(roadmap.roadmapId), post.postId);
    expect(changed(row, () => ({ boardId: id })).at(0)).toMatch(/^names board /);
    expect(changed(key.site(), () => ({ ownerId: author.userId }))).toContain("names no owner");
  });

  it("notices a name that is not the account's, except during a rename", () => {
    const wrong = "shows another name or role";
    const author_ = { userId: author.userId, name: "Another", username: author.username };
    expect(changed(key.post(post.postId), () => ({ author: author_ }))).toEqual([wrong]);
    const renamed = { ...itemAt(key.post(post.postId)), author: author_ };
    const job = { ...key.rename(newId()), userId: author.userId, name: "Another" };
    expect(problemsIn([...without(key.post(post.postId)), renamed, job])).toEqual([]);
  });

  it("notices a webhook without secrets, and a delivery that neither waits nor has ended, or never expires", () => {
    const [webhookId, eventId] = [newId(), newId()];
    const webhook = { ...key.webhook(webhookId), url: "https://hook.example/", events: [], userId: author.userId };
    expect(problemsIn([...items, webhook])).toEqual(["counts 0 webhooks and there are 1", "has no secrets"]);
    const delivery = { type: "post.created", attempts: 1, expiresAt: 1 };
    const [waiting, ended] = [key.waitingDelivery(webhookId, eventId), key.delivery(webhookId, eventId)];
    expect(withMore(waiting, { ...delivery, dueAt: 1 })).toEqual([]);
    expect(withMore(waiting, delivery)).toEqual(["waits for no attempt"]);
    expect(withMore(ended, delivery)).toEqual([]);
    expect(withMore(ended, { ...delivery, dueAt: 1 })).toEqual(["has ended and waits"]);
    expect(withMore(ended, { ...delivery, expiresAt: undefined }).at(0)).toMatch(/^does not parse/);
  });

  it("notices a wrong number of accounts, and credentials with another token version", () => {
    const counts = key.userCount(author.userId);
    expect(changed(counts, ({ count }) => ({ count: Number(count) + 1 })).at(0)).toMatch(/^counts \d+ accounts and/);
    const empty = ["0", "1", "2"].map(key.userCount).find((each) => !items.some((item) => sameKey(item, each)));
    if (empty) expect(withMore(empty, { count: 1 })).toEqual(["counts 1 accounts and there are 0"]);
    const other = changed(key.credentials(author.userId), () => ({ tokenVersion: 2 }));
    expect(other).toEqual(["has credentials of another version"]);
  });
});
