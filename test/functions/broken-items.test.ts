import { inspect, isDeepStrictEqual } from "node:util";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { handler as setUp } from "../../functions/auth/set-up.ts";
import { handler as listBoards } from "../../functions/boards/list.ts";
import { handler as bySlug } from "../../functions/posts/by-slug.ts";
import { handler as createPost } from "../../functions/posts/create.ts";
import { handler as listPosts } from "../../functions/posts/list.ts";
import { handler as roadmapByUrl } from "../../functions/roadmaps/by-url.ts";
import { handler as listRoadmaps } from "../../functions/roadmaps/list.ts";
import { handler as searchRoadmaps } from "../../functions/roadmaps/search.ts";
import { handler as addVote } from "../../functions/votes/add.ts";
import { handler as removeVote } from "../../functions/votes/remove.ts";
import { findingsIn, scan } from "../../infra/operator/check-table/check.ts";
import * as site from "../../lib/accounts/site.ts";
import { newAccount } from "../../lib/auth/accounts.ts";
import type { BoardRecord } from "../../lib/catalogue/boards.ts";
import type { RoadmapRecord } from "../../lib/catalogue/roadmaps.ts";
import type { PostRecord } from "../../lib/posts/posts.ts";
import { settings } from "../../lib/runtime/settings.ts";
import { documentClient } from "../../lib/table/client.ts";
import { type Key, key, loggedKey } from "../../lib/table/keys.ts";
import { boardList, roadmapList } from "../../lib/table/post-lists.ts";
import { get } from "../../lib/table/reads.ts";
import { dayOf, newId } from "../../lib/values/ids.ts";
import type { VoteRecord } from "../../lib/votes/votes.ts";
import { overlookFormats } from "../support/http/document.ts";
import { invoke, type Reply } from "../support/http/invoke.ts";
import { logLines } from "../support/http/logs.ts";
import { aBoard, aMember, aPost, aRoadmap, aStranger, aVote, type Person } from "../support/world/fixtures.ts";

overlookFormats();

type Item = Key & Record<string, unknown>;

let items: Item[];
let caller: Person;
let board: BoardRecord;
let roadmaps: RoadmapRecord[];
let posts: PostRecord[];
let voted: VoteRecord;

// Three posts, two boards, three roadmaps; the second post is the one around which things break.
beforeAll(async () => {
  await site.setUp("Feedback", newAccount("owner@example.com", "Ada", "owner"), "-", site.firstBoard(newId()));
  caller = await aMember("Grace");
  board = await aBoard();
  roadmaps = [await aRoadmap(), await aRoadmap(), await aRoadmap()];
  const place = { boardId: board.boardId, roadmapId: middle(roadmaps).roadmapId, contentMarkdown: "text" };
  posts = [
    await aPost(caller, place),
    await aPost(caller, { ...place, oldSlugs: ["old"] }),
    await aPost(caller, place),
  ];
  for (let n = 0; n < 3; n++) await aVote(middle(posts).postId, aStranger());
  voted = await aVote(middle(posts).postId, caller);
  items = (await scan()) as Item[];
});

function middle<T>(three: T[]): T {
  return three[1] as T;
}

function write(Item: object) {
  return documentClient().send(new PutCommand({ TableName: settings().tableName, Item }));
}

function itemAt({ pk, sk }: Key): Item {
  const item = items.find((each) => each.pk === pk && each.sk === sk);
  if (!item) throw new Error(`there is no ${pk} | ${sk}`);
  return item;
}

function isKey(name: string): boolean {
  return name === "pk" || name === "sk";
}

/** What a value can be instead of what it is. */
function othersThan(value: unknown): unknown[] {
  return [7, "7", true, null, ["7"], { a: "7" }].filter((other) => !isDeepStrictEqual(other, value));
}

/** The item with each attribute gone, and with each of another type, those inside of maps too. */
function brokenForms(item: Record<string, unknown>): Record<string, unknown>[] {
  return Object.entries(item)
    .filter(([name]) => !isKey(name))
    .flatMap(([name, value]) => {
      const { [name]: _, ...rest } = item;
      const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
      const inside = isMap ? brokenForms(value as Record<string, unknown>) : [];
      return [rest, ...[...othersThan(value), ...inside].map((other) => ({ ...rest, [name]: other }))];
    });
}

/** Runs a check for each broken form of an item, and restores the item. */
async function forEachBrokenForm(key: Key, test: (broken: Record<string, unknown>) => Promise<void>): Promise<void> {
  const item = itemAt(key);
  const forms = brokenForms(item);
  expect(forms.length).toBeGreaterThan(3);
  try {
    for (const broken of forms) {
      await write(broken);
      await test(broken).catch((error) => {
        throw new Error(`with ${inspect(broken)}`, { cause: error });
      });
    }
  } finally {
    await write(item);
  }
}

function idsOf({ body }: Reply, list: string, id: string): string[] {
  return body[list].map((each: Record<string, string>) => each[id]);
}

function list(filter: object = {}): Promise<Reply> {
  return invoke(listPosts, { token: caller.token, body: filter });
}

/** What was logged of an item since some line. */
function logged(key: Key, since: number): string[] {
  return logLines.slice(since).filter((line) => line.includes(`"key":"${loggedKey(key)}"`));
}

function nameOf({ pk, sk }: Key): string {
  return `${pk} | ${sk}`;
}

/** Whether the data model takes the item as it now is for one that does not parse. */
function isBroken(item: Record<string, unknown>): boolean {
  return findingsIn([item as Item]).some(
    ({ at, problem }) => at === nameOf(item as Item) && problem.startsWith("does not parse"),
  );
}

// After each test every item is as it was.
afterEach(async () => {
  const now = new Map((await scan()).map((item) => [nameOf(item), item]));
  for (const item of items) expect(now.get(nameOf(item))).toEqual(item);
});

describe("A stored item that does not parse affects that item only", () => {
  it("a post: lists leave it out, and it is logged", async () => {
    const { postId, slug } = middle(posts);
    const others = [posts[2]?.postId, posts[0]?.postId];
    await forEachBrokenForm(key.post(postId), async (broken) => {
      const since = logLines.length;
      const replies = await Promise.all([list(), list({ boardId: board.boardId }), list({ page: 1, created: "DESC" })]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
      const [all, ofBoard] = replies.map((reply) => idsOf(reply, "posts", "postId"));
      for (const other of others) expect(all).toContain(other);
      expect(all?.includes(postId)).toBe(!isBroken(broken));
      expect(ofBoard).toEqual(expect.arrayContaining(others));
      expect(logged(key.post(postId), since).length > 0).toBe(isBroken(broken));
      expect([200, 404]).toContain((await invoke(bySlug, { body: { slug } })).status);
    });
  });

  it("the voters of a post: it is listed without votes", async () => {
    const { postId } = middle(posts);
    const { token } = caller;
    await forEachBrokenForm(key.voters(postId), async (broken) => {
      const since = logLines.length;
      const { status, body } = await list();
      expect([status, body.posts.length]).toEqual([200, 3]);
      if (isBroken(broken)) {
        expect(body.posts[1].voters.votesCount).toBe(0);
        expect(logged(key.voters(postId), since)).not.toEqual([]);
        expect((await invoke(addVote, { token, body: { postId } })).status).toBe(404);
        expect((await invoke(removeVote, { token, body: { postId } })).status).toBe(404);
      }
    });
  });

  it("a vote: the other votes are shown", async () => {
    const { postId, slug } = middle(posts);
    await forEachBrokenForm(key.vote(postId, voted.voteId), async (broken) => {
      const { status, body } = await invoke(bySlug, { body: { slug } });
      expect([status, body.post.voters.votes.length]).toEqual([200, isBroken(broken) ? 3 : 4]);
    });
  });

  it("a user's own vote: reads go on, and the user cannot vote twice", async () => {
    const { postId, slug } = middle(posts);
    await forEachBrokenForm(key.userVote(caller.userId, postId), async () => {
      const { token } = caller;
      const replies = await Promise.all([
        list(),
        invoke(bySlug, { token, body: { slug } }),
        invoke(addVote, { token, body: { postId } }),
      ]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 409]);
    });
  });

  it("an account: its tokens are invalid, and no call fails", async () => {
    const { token } = caller;
    await forEachBrokenForm(key.user(caller.userId), async (broken) => {
      const [read, write] = [await list(), await invoke(createPost, { token, body: {} })];
      const isGood = !isBroken(broken) && broken.tokenVersion === caller.tokenVersion;
      expect([read.status, write.status]).toEqual([200, isGood ? 400 : 401]);
    });
  });

  it("a board: the others are listed, its posts are shown without a board", async () => {
    const { token } = caller;
    await forEachBrokenForm(key.board(board.boardId), async (broken) => {
      const [boards, all] = await Promise.all([invoke(listBoards, { token, query: {} }), list()]);
      expect([boards.status, all.status, all.body.posts.length]).toEqual([200, 200, 3]);
      expect(idsOf(boards, "boards", "boardId").includes(board.boardId)).toBe(!isBroken(broken));
      expect(boards.body.boards.length).toBeGreaterThan(0);
    });
  });

  it("a roadmap or the order of roadmaps: the other roadmaps are listed and found", async () => {
    const { token } = caller;
    const { roadmapId } = middle(roadmaps);
    for (const broken of [key.roadmap(roadmapId), key.roadmapOrder()]) {
      await forEachBrokenForm(broken, async () => {
        const [listed, searched, found, all] = await Promise.all([
          invoke(listRoadmaps, { token, query: {} }),
          invoke(searchRoadmaps, { token, params: { name: "Roadmap" } }),
          invoke(roadmapByUrl, { params: { url: roadmaps[0]?.url as string } }),
          list(),
        ]);
        expect([listed, searched, found, all].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
        const ids = idsOf(listed, "roadmaps", "id");
        for (const other of [roadmaps[0], roadmaps[2]]) expect(ids).toContain(other?.roadmapId);
      });
    }
  });

  it("a row or a count of a list: the other posts are listed", async () => {
    const { postId } = middle(posts);
    const [{ boardId }, { roadmapId }] = [board, middle(roadmaps)];
    const month = dayOf(postId).slice(0, 7);
    const broken = [
      key.listRow(roadmapList(roadmapId), postId),
      key.dayCounts(boardList(boardId), month),
      key.dayCounts(roadmapList(roadmapId), month),
    ];
    for (const each of broken) {
      await forEachBrokenForm(each, async () => {
        const filters = [{}, { boardId }, { roadmapId }, { boardId, roadmapId }, { boardId, page: 2, limit: 1 }];
        const replies = await Promise.all(filters.map(list));
        expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
        expect(replies[0]?.body.posts).toHaveLength(3);
      });
    }
  });

  it("the site: setup works", async () => {
    await forEachBrokenForm(key.site(), async () => {
      const { status, body } = await invoke(setUp, { body: { email: "eve@example.com", password: "correct horse" } });
      expect([status, body.code]).toEqual([403, "SETUP_COMPLETED"]);
    });
  });

  it("the claim of an address: the log line does not show the address", async () => {
    const claim = key.email(caller.email);
    await forEachBrokenForm(claim, async (broken) => {
      const found = await get(claim, z.object({ userId: z.string() }));
      expect(found === undefined).toBe(isBroken(broken));
    });
    expect(logged(claim, 0).length).toBeGreaterThan(3);
    expect(logLines.filter((line) => line.includes(caller.email))).toEqual([]);
  });
});
