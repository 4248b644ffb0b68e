import { beforeAll, describe, expect, it } from "vitest";
import { findingsIn, scan } from "../../../../infra/operator/check-table/check.ts";
import type { ApiKeyRecord } from "../../../../lib/accounts/api-keys.ts";
import * as identities from "../../../../lib/accounts/identities.ts";
import * as site from "../../../../lib/accounts/site.ts";
import { shownOf } from "../../../../lib/accounts/users.ts";
import { newAccount } from "../../../../lib/auth/accounts.ts";
import * as boards from "../../../../lib/catalogue/boards.ts";
import type * as roadmaps from "../../../../lib/catalogue/roadmaps.ts";
import * as statuses from "../../../../lib/catalogue/statuses.ts";
import { derive } from "../../../../lib/cleanup/derived-rows.ts";
import * as posts from "../../../../lib/posts/posts.ts";
import { familyOf } from "../../../../lib/table/families.ts";
import { type Key, key } from "../../../../lib/table/keys.ts";
import { allPosts, boardList, nameOf } from "../../../../lib/table/post-lists.ts";
import { idAt, newId, timeOf } from "../../../../lib/values/ids.ts";
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
  await site.setUp("Feedback", owner, "no password", site.firstBoard(newId()), { mail: "welcome" });
  [author, board, removedBoard] = [await world.aMember(), await world.aBoard(), await world.aBoard()];
  roadmap = await world.aRoadmap();
  const placed = { boardId: board.boardId, roadmapId: roadmap.roadmapId };
  const open = await world.aPost(author, { ...placed, response: { text: "Next month", status: "a", at: 0 } });
  post = (await posts.setStatus(open, { letter: "a" })) as posts.PostRecord;
  await statuses.replace(await statuses.read(), [{ statusId: "open", name: "New", color: "00aaff", kind: "open" }]);
  cast = [];
  for (let n = 0; n < 9; n++) cast.push(await world.aVote(post.postId, world.aStranger()));
  apiKey = (await world.aKey(author)).record;
  await identities.link({ issuer: "https://id.example", subject: "ada" }, author);
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

function withMore(key: Key, item: object = {}): string[] {
  return problemsIn([...items, { ...item, ...key }]);
}

function otherThan(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  if (typeof value === "bigint") return value + 1n;
  if (typeof value === "boolean") return !value;
  if (value instanceof Uint8Array) return new Uint8Array(8);
  return isId.test(String(value)) ? newId() : `${value}x`;
}

const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A value with one of the values in it changed, for each of these, by its path; ids and numbers in a path are "n". */
function changesOf(value: unknown): { path: string; changed: unknown }[] {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) {
    return [{ path: "", changed: otherThan(value) }];
  }
  return Object.entries(value).flatMap(([name, own]) =>
    changesOf(own).map(({ path, changed }) => ({
      path: `.${isId.test(name) ? "n" : name.replace(/\d+/, "n")}${path}`,
      changed: Object.assign(structuredClone(value), { [name]: changed }),
    })),
  );
}

/** The figures of the first days of a month. */
function figuresOf(days: number) {
  const numbers = Array.from({ length: days }, () => 1);
  return { posts: numbers, votes: numbers, comments: numbers, accounts: numbers };
}

describe("the check of a whole table", () => {
  it("finds nothing in a sound table, with tombstones waiting", () => {
    expect(findingsIn(items)).toEqual([]);
    expect(new Set(items.map(({ pk }) => familyOf(pk))).size).toBe(26);
  });

  it("notices every missing item, except those that may be deleted alone", () => {
    const unnoticed = items.filter((item) => findingsIn(without(item)).length === 0);
    // Sent mails, expired and announced events, the owner's own statuses, the stamp of the catalogue, a site before
    // setup, the items that a sweep deletes one by one.
    const free = (item: Item) =>
      ["OUTBOX", "EVENTS", "SITE"].includes(item.pk) ||
      ["STATUSES", "STAMP"].includes(item.sk) ||
      item.pk.endsWith(`#${nameOf(boardList(removedBoard.boardId))}`) ||
      item.sk === `VOTE#${deleted.postId}`;
    expect(unnoticed.filter((item) => !free(item))).toEqual([]);
    expect(unnoticed.length).toBeGreaterThan(6);
  });

  it("notices every changed value, except texts, times and looks that no other item repeats", () => {
    const noticed = new Map<string, boolean>();
    for (const { pk, sk, ...fields } of items) {
      for (const { path, changed } of changesOf(fields)) {
        const name = `${familyOf(pk)}${path}`;
        const problems = problemsIn([...without({ pk, sk }), { ...(changed as object), pk, sk }]);
        noticed.set(name, noticed.get(name) || problems.length > 0);
      }
    }
    const unnoticed = [...noticed].filter(([, isNoticed]) => !isNoticed).map(([name]) => name);
    const free: Record<string, string> = {
      ACTIVITY: "body by to",
      API_KEYS: "endsAt hash lastFour name scopes.n",
      CATALOGUE: "color display indexes.n name stamp statuses.n.color statuses.n.name version viewVoters",
      CREDENTIALS: "passwordHash",
      DELETED: "at",
      DERIVED: "version",
      IDENTITY: "issuer linkedAt",
      EVENTS: "boardId by commentId expiresAt postId to userId",
      NOTES: "body",
      OUTBOX: "to",
      POSTS: "response.at response.status response.text slug title updatedAt",
      SITE: "title",
    };
    const names = Object.entries(free).flatMap(([family, paths]) =>
      paths.split(" ").map((path) => `${family}.${path}`),
    );
    expect(unnoticed.sort()).toEqual(names.sort());
  });

  it("reports items of no kind and items that do not parse, with their keys", () => {
    expect(findingsIn([...items, { pk: "POSTS", sk: "nonsense" }])).toEqual([
      { at: "POSTS | nonsense", problem: "is of no kind that the data model knows" },
    ]);
    expect(withMore({ pk: "ELSE#1", sk: "ELSE" })).toHaveLength(1);
    const claim = key.username(author.username);
    const broken = problemsIn([...without(claim), { ...claim, userId: 7 }]);
    expect(broken.some((problem) => problem.startsWith("does not parse"))).toBe(true);
  });

  it("notices every item that belongs to nothing", () => {
    const id = newId();
    const { name, username, userId } = world.aStranger();
    const { keyId, ...keyFields } = apiKey;
    const comment = { author: shownOf(author), body: "text" };
    const webhook = { url: "https://hook.example/", events: [], userId: author.userId };
    const delivery = { type: "post.created", attempts: 1, expiresAt: 1 };
    const strays: [Key, object, ...problems: string[]][] = [
      [key.listRow(allPosts, id), {}, "has no post"],
      [key.listRow(boardList(id), post.postId), {}, "is not where its post is"],
      [key.dayCounts(boardList(id), "2026-01"), {}, "counts a list that does not exist"],
      [key.figures("2026-02"), { at: 1, ...figuresOf(29) }, "has 29 days"],
      [key.figures("2026-02"), { at: 1, ...figuresOf(3), votes: [1] }, "has different days for different kinds"],
      [key.listRow(allPosts, idAt(0)), {}, "is not counted"],
      [key.wordRow("other", post.postId), { w: new Uint8Array() }, "differs from its post's derived item"],
      [key.email("eve@example.com"), { userId: author.userId }, "is not the address of an account"],
      [key.username("eve_12345678"), { userId: id }, "is not the username of an account"],
      [key.boardUrl("other"), { boardId: board.boardId }, "is not the url of a board"],
      [key.roadmapUrl("other"), { roadmapId: id }, "is not the url of a roadmap"],
      [key.userPost(userId, post.postId), {}, "is not a post of this user"],
      [key.apiKey(author.userId, id), keyFields, "counts 1 API keys and there are 2"],
      [key.apiKey(id, keyId), keyFields, "has no account"],
      [key.identity("a", "b"), { userId: id, issuer: "https://id.example", linkedAt: 1 }, "has no account"],
      [
        key.identity("a", "b"),
        { userId: author.userId, issuer: "https://id.example", linkedAt: 1 },
        "lists other identities than sign in to it",
      ],
      [key.vote(id, id), { name, username, userId }, "is on no post"],
      [key.vote(post.postId, id), { name, username, userId }, "is not its user's vote"],
      // A tombstone excuses the votes of its post, but not one that its sweep cannot find.
      [key.userVote(userId, deleted.postId), { voteId: id }, "has no vote"],
      [
        key.comment(id, id),
        comment,
        "is on no post",
        "has the length undefined in its row",
        "is not its user's comment",
      ],
      [key.commentRow(key.note(post.postId, id)), { kb: 1 }, "has no note"],
      [key.hiddenComment(post.postId, id), {}, "is no note"],
      [key.userComment(author.userId, id), { postId: post.postId }, "has no comment"],
      [key.tombstone(post.postId), {}, "names something that still exists"],
      [key.tombstone(nameOf(boardList(board.boardId))), {}, "names something that still exists"],
      [key.webhook(id), webhook, "counts 0 webhooks and there are 1", "has no secrets"],
      [key.waitingDelivery(id, id), { ...delivery, dueAt: 1 }],
      [key.waitingDelivery(id, id), delivery, "waits for no attempt"],
      [key.delivery(id, id), delivery],
      [key.delivery(id, id), { ...delivery, dueAt: 1 }, "has ended and waits"],
    ];
    for (const [at, item, ...problems] of strays) {
      const found = withMore(at, item);
      if (problems.length === 0) expect(found).toEqual([]);
      else expect(found).toEqual(expect.arrayContaining(problems));
    }
  });

  it("notices an event that is neither announced nor found", () => {
    const events = items.filter(({ pk, isNews }) => pk === "EVENTS" && isNews);
    const place = { ...key.newsPlace(), at: timeOf(events[0]?.sk ?? "") + 1 };
    expect(problemsIn([...items, place])).toContain("is not announced, and no search finds it");
    const entries = events.map(({ sk }) => ({ ...key.due("NEWS", sk), dueAt: 0, tries: 0, since: 0, reason: "" }));
    expect(problemsIn([...items, place, ...entries])).toEqual([]);
  });

  it("notices a status that is listed twice", () => {
    const { statuses: all, ...list } = itemAt(key.statuses()) as Item & { statuses: object[] };
    const twice = { ...list, statuses: [...all, ...all.slice(0, 1)] };
    expect(problemsIn([...without(key.statuses()), twice])).toEqual(["names a status twice"]);
  });

  it("notices a board that is ordered twice", () => {
    const twice = { ...key.boardOrder(), boardIds: [removedBoard.boardId, removedBoard.boardId], version: 1 };
    expect(problemsIn([...items, twice])).toEqual(["orders a board twice"]);
  });

  it("notices a lock that is on the post alone, and a pin that no post has, or that is not of a post", () => {
    const stored = itemAt(key.post(post.postId));
    const locked = { ...stored, isLocked: true };
    expect(problemsIn([...without(stored), locked])).toEqual(["differs from its post in what is locked"]);
    const pins = (postId: string) => ({ ...key.pins(), postIds: new Set([postId]) });
    const other = "differs from the pins in whether it is pinned";
    expect(problemsIn([...items, pins(post.postId)])).toEqual([other]);
    expect(problemsIn([...items, pins(newId())])).toEqual([expect.stringMatching(/^pins .*, which is no post$/)]);
  });

  it("notices one seat too few and one too many, and accepts any six voters", () => {
    const { first, ...voters } = itemAt(key.voters(post.postId)) as Item & { first: Record<string, object> };
    const withSeats = (...taken: VoteRecord[]) => {
      const seats = taken.map(({ userId, voteId, name, username }) => [userId, { v: voteId, n: name, u: username }]);
      return problemsIn([...without(voters), { ...voters, first: Object.fromEntries(seats) }]);
    };
    expect(Object.keys(first).sort()).toEqual(
      cast
        .slice(0, 6)
        .map(({ userId }) => userId)
        .sort(),
    );
    expect(withSeats(...cast.slice(0, 5))).toEqual(["seats 5 of 9 votes"]);
    expect(withSeats(...cast.slice(0, 7))).toEqual(["seats 7 of 9 votes"]);
    expect(withSeats(...cast.slice(3))).toEqual([]);
  });

  it("accepts another name than the account's during a rename", () => {
    const at = key.post(post.postId);
    const renamed = { ...itemAt(at), author: { userId: author.userId, name: "Another", username: author.username } };
    expect(problemsIn([...without(at), renamed])).toEqual(["shows another name or role"]);
    const job = { ...key.rename(newId()), userId: author.userId, name: "Another" };
    expect(problemsIn([...without(at), renamed, job])).toEqual([]);
  });
});
