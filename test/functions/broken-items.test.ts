import { inspect, isDeepStrictEqual } from "node:util";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { findingsIn, scan } from "../../infra/operator/check-table/check.ts";
import * as site from "../../lib/accounts/site.ts";
import { newAccount } from "../../lib/auth/accounts.ts";
import type { BoardRecord } from "../../lib/catalogue/boards.ts";
import type { RoadmapRecord } from "../../lib/catalogue/roadmaps.ts";
import type { PostRecord } from "../../lib/posts/posts.ts";
import { environment } from "../../lib/runtime/environment.ts";
import { documentClient } from "../../lib/table/client.ts";
import { type Key, key, loggedKey } from "../../lib/table/keys.ts";
import { boardList, roadmapList } from "../../lib/table/post-lists.ts";
import { get } from "../../lib/table/reads.ts";
import { dayOf, newId } from "../../lib/values/ids.ts";
import type { VoteRecord } from "../../lib/votes/votes.ts";
import { overlookFormats } from "../support/http/document.ts";
import { invoke, refusal, success } from "../support/http/invoke.ts";
import { logLines } from "../support/http/logs.ts";
import * as portal from "../support/portal.ts";
import { addComments } from "../support/world/bulk.ts";
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
  await addComments(middle(posts).postId, caller, ["One", "Two"]);
  items = (await scan()) as Item[];
});

function middle<T>(three: T[]): T {
  return three[1] as T;
}

function write(Item: object) {
  return documentClient().send(new PutCommand({ TableName: environment().TABLE_NAME, Item }));
}

/** The item with each attribute gone, and with each of another type, those inside of maps too. */
function brokenForms(item: Record<string, unknown>): Record<string, unknown>[] {
  return Object.entries(item)
    .filter(([name]) => name !== "pk" && name !== "sk")
    .flatMap(([name, value]) => {
      const { [name]: _, ...rest } = item;
      const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
      const inside = isMap ? brokenForms(value as Record<string, unknown>) : [];
      const others = [7, "7", null, { a: "7" }, ...inside].filter((other) => !isDeepStrictEqual(other, value));
      return [rest, ...others.map((other) => ({ ...rest, [name]: other }))];
    });
}

async function forEachBrokenForm(key: Key, test: (broken: Record<string, unknown>) => Promise<void>): Promise<void> {
  const item = items.find((each) => nameOf(each) === nameOf(key)) as Item;
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

describe("A stored item that does not parse", () => {
  it("hides its post alone: lists leave it out, and it is logged", async () => {
    const { postId, slug } = middle(posts);
    const others = [posts[2], posts[0]].map((post) => post?.postId);
    await forEachBrokenForm(key.post(postId), async (broken) => {
      const since = logLines.length;
      const all = await portal.ids({}, caller);
      expect(all).toEqual(expect.arrayContaining(others));
      expect(all.includes(postId)).toBe(!isBroken(broken));
      expect(await portal.ids({ boardId: board.boardId })).toEqual(expect.arrayContaining(others));
      await portal.list({ page: 1, created: "DESC" }, caller);
      expect(logged(key.post(postId), since).length > 0).toBe(isBroken(broken));
      expect([200, 404]).toContain((await portal.open(slug)).status);
    });
  });

  it("hides the voters of its post alone", async () => {
    const post = middle(posts);
    await forEachBrokenForm(key.voters(post.postId), async (broken) => {
      const since = logLines.length;
      const all = await portal.list({}, caller);
      expect(all).toHaveLength(3);
      if (!isBroken(broken)) return;
      expect(all[1]?.voters.votesCount).toBe(0);
      expect(logged(key.voters(post.postId), since)).not.toEqual([]);
      refusal(await portal.vote(post, caller), "POST_NOT_FOUND");
      refusal(await portal.unvote(post, caller), "POST_NOT_FOUND");
    });
  });

  it("hides its vote alone", async () => {
    const post = middle(posts);
    await forEachBrokenForm(key.vote(post.postId, voted.voteId), async (broken) => {
      expect((await portal.shownPost(post)).voters.votes).toHaveLength(isBroken(broken) ? 3 : 4);
    });
  });

  it("hides its comment alone, and the cursor of its page leads on", async () => {
    const { postId } = middle(posts);
    const page = async (after: { after?: string } = {}) =>
      success(await invoke("comments-list", { params: { postId }, query: { first: "1", ...after } }), 200);
    const [newest] = (await page()).activity;
    await forEachBrokenForm(key.comment(postId, newest.id), async (broken) => {
      const { activity, page_info } = await page();
      expect(activity).toHaveLength(isBroken(broken) ? 0 : 1);
      const next = await page({ after: page_info.end_cursor });
      expect(next.activity).toMatchObject([{ comment: { body: "One" } }]);
    });
  });

  it("prevents a second vote where it is the user's own vote", async () => {
    const post = middle(posts);
    await forEachBrokenForm(key.userVote(caller.userId, post.postId), async () => {
      await portal.list({}, caller);
      await portal.shownPost(post, caller);
      refusal(await portal.vote(post, caller), "VOTE_EXISTS");
    });
  });

  it("invalidates the tokens of its account, and fails no call", async () => {
    await forEachBrokenForm(key.user(caller.userId), async (broken) => {
      const isGood = !isBroken(broken) && broken.tokenVersion === caller.tokenVersion;
      await portal.list({}, caller);
      refusal(await portal.post({}, caller), isGood ? "VALIDATION_ERROR" : "INVALID_TOKEN");
    });
  });

  it("hides its board alone, and leaves the posts of the board", async () => {
    await forEachBrokenForm(key.board(board.boardId), async (broken) => {
      const boardIds = (await portal.boards(caller)).map(({ boardId }) => boardId);
      expect(boardIds.length).toBeGreaterThan(0);
      expect(boardIds.includes(board.boardId)).toBe(!isBroken(broken));
      expect(await portal.list({}, caller)).toHaveLength(3);
    });
  });

  it.each(["a roadmap", "the order of roadmaps"])("leaves the other roadmaps where it is %s", async (what) => {
    const { token } = caller;
    const others = [roadmaps[0], roadmaps[2]] as RoadmapRecord[];
    const item = what === "a roadmap" ? key.roadmap(middle(roadmaps).roadmapId) : key.roadmapOrder();
    await forEachBrokenForm(item, async () => {
      const listed = (await portal.roadmaps(caller)).map(({ id }) => id);
      expect(listed).toEqual(expect.arrayContaining(others.map(({ roadmapId }) => roadmapId)));
      success(await invoke("roadmaps-search", { token, params: { name: "Roadmap" } }), 200);
      success(await invoke("roadmaps-by-url", { params: { url: others[0]?.url as string } }), 200);
      await portal.list({}, caller);
    });
  });

  it("leaves all lists where it is a row or a count of one", async () => {
    const { postId } = middle(posts);
    const { boardId } = board;
    const { roadmapId } = middle(roadmaps);
    const month = dayOf(postId).slice(0, 7);
    const counts = [boardList(boardId), roadmapList(roadmapId)].map((list) => key.dayCounts(list, month));
    for (const item of [key.listRow(roadmapList(roadmapId), postId), ...counts]) {
      await forEachBrokenForm(item, async () => {
        expect(await portal.list({}, caller)).toHaveLength(3);
        for (const filter of [{ boardId }, { roadmapId }, { boardId, roadmapId }, { boardId, page: 2, limit: 1 }]) {
          await portal.list(filter, caller);
        }
      });
    }
  });

  it("prevents a second setup where it is the site", async () => {
    await forEachBrokenForm(key.site(), async () => {
      refusal(await portal.setUp({ email: "eve@example.com", password: "correct horse" }), "SETUP_COMPLETED");
    });
  });

  it("keeps the address out of the log where it is the claim of an address", async () => {
    const claim = key.email(caller.email);
    await forEachBrokenForm(claim, async (broken) => {
      const found = await get(claim, z.object({ userId: z.string() }));
      expect(found === undefined).toBe(isBroken(broken));
    });
    expect(logged(claim, 0).length).toBeGreaterThan(3);
    expect(logLines.filter((line) => line.includes(caller.email))).toEqual([]);
  });
});
