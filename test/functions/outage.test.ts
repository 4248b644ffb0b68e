import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { handler as setUp } from "../../functions/auth/set-up.ts";
import { handler as signUp } from "../../functions/auth/sign-up.ts";
import { handler as listBoards } from "../../functions/boards/list.ts";
import { handler as bySlug } from "../../functions/posts/by-slug.ts";
import { handler as createPost } from "../../functions/posts/create.ts";
import { handler as deletePost } from "../../functions/posts/delete.ts";
import { handler as listPosts } from "../../functions/posts/list.ts";
import { handler as roadmapByUrl } from "../../functions/roadmaps/by-url.ts";
import { handler as listRoadmaps } from "../../functions/roadmaps/list.ts";
import { handler as searchRoadmaps } from "../../functions/roadmaps/search.ts";
import { handler as addVote } from "../../functions/votes/add.ts";
import { handler as removeVote } from "../../functions/votes/remove.ts";
import type { Endpoint } from "../../lib/endpoint.ts";
import type { PostRecord } from "../../lib/posts/posts.ts";
import * as votes from "../../lib/votes/votes.ts";
import { invoke, type Reply, type Request } from "../support/http/invoke.ts";
import { tally } from "../support/http/tally.ts";
import { losePatience, takePatience } from "../support/patience.ts";
import { type BadStore, type Mood, startBadStore, turnTo } from "../support/store/bad-store.ts";
import { expectSound } from "../support/store/sound.ts";
import { aMember, aPost, type Person } from "../support/world/fixtures.ts";

let engine: string;
let store: BadStore;
let caller: Person;
let post: PostRecord;

beforeAll(async () => {
  engine = process.env.DYNAMODB_ENDPOINT as string;
  caller = await aMember();
  post = await aPost(caller);
  store = await startBadStore(engine);
});

afterAll(async () => {
  store.stop();
  turnTo(engine);
  await expectSound();
});

/** A good request to each of the twelve endpoints. */
function twelve(): [Endpoint, Request][] {
  const [{ token }, { postId, slug }] = [caller, post];
  const account = { email: "late@example.com", password: "correct horse" };
  return [
    [signUp, { body: account }],
    [setUp, { body: account }],
    [listPosts, { token, body: {} }],
    [bySlug, { token, body: { slug } }],
    [addVote, { token, body: { postId } }],
    [removeVote, { token, body: { postId } }],
    [listRoadmaps, { token }],
    [searchRoadmaps, { token, params: { name: "beta" } }],
    [roadmapByUrl, { token, params: { url: "beta" } }],
    [createPost, { token, body: { title: "Late" } }],
    [deletePost, { token, body: { id: postId } }],
    [listBoards, { token }],
  ];
}

/** Sends requests while the store is in some moods. */
async function during(moods: Mood[], requests: [Endpoint, Request][]): Promise<Reply[]> {
  Object.assign(store, { moods, requests: 0 });
  const replies = await Promise.all(requests.map(([endpoint, request]) => invoke(endpoint, request)));
  store.moods = ["well"];
  return replies;
}

function expectUnavailable(replies: Reply[]): void {
  expect(tally(replies)).toEqual({ "503 SERVER_ERROR": replies.length });
  for (const { headers, body } of replies) {
    expect(headers).toMatchObject({ "retry-after": "1", "content-type": "application/json; charset=utf-8" });
    expect(Object.keys(body).sort()).toEqual(["code", "message"]);
  }
}

describe("All twelve endpoints answer 503 with Retry-After", () => {
  const aVoter = async (): Promise<[Endpoint, Request]> => {
    const { token } = await aMember();
    return [addVote, { token, body: { postId: post.postId } }];
  };

  const countOf = async (): Promise<number | undefined> => (await votes.summary(post.postId))?.count;

  it("if the store accepts calls and stays silent, or stalls in the middle of an answer", async () => {
    losePatience();
    turnTo(store.endpoint);
    const requests = twelve();
    const replies = await during(["silent", "silent", "stalls"], requests);
    takePatience();
    expectUnavailable(replies);
    // A silent call is given up after two seconds, and all work after five: at most three calls one after the other, two at once.
    expect(store.requests).toBeLessThanOrEqual(requests.length * 3 * 2);
  });

  it("while the store does not listen, and work again once it does", async () => {
    const gone = await startBadStore(engine);
    gone.stop();
    turnTo(gone.endpoint);
    const replies = await during([], twelve());
    expectUnavailable(replies);
    turnTo(store.endpoint);
    const [list] = await during(["well"], [[listPosts, { body: {} }]]);
    expect(list?.body.posts.map(({ postId }: PostRecord) => postId)).toEqual([post.postId]);
  });

  it.each<Mood>(["cuts", "cuts the answer", "garbles the answer", "talks nonsense", "fails", "throttles"])(
    "if the store %s",
    async (mood) => {
      turnTo(store.endpoint);
      expectUnavailable(await during([mood], twelve()));
    },
  );

  it.each<Mood>(["cuts", "cuts the answer", "garbles the answer", "talks nonsense", "fails", "throttles"])(
    "but not if the store %s once",
    async (mood) => {
      turnTo(store.endpoint);
      const before = (await countOf()) ?? 0;
      const requests = [await aVoter()];
      // The caller's account and the voters are read first, side by side; then comes the transaction.
      const replies = await during(["well", "well", mood, "well", "well", "well", "well"], requests);
      expect(tally(replies)).toEqual({ 201: 1 });
      expect(await countOf()).toBe(before + 1);
    },
  );

  it("but not if a refusal cannot be read once: it is given again", async () => {
    turnTo(store.endpoint);
    const requests = [await aVoter()];
    expect(tally(await during(["well"], requests))).toEqual({ 201: 1 });
    const replies = await during(["well", "well", "garbles the answer", "well", "well"], requests);
    expect(tally(replies)).toEqual({ "409 VOTE_EXISTS": 1 });
  });

  it("but not if single calls fail after an outage in which hundreds failed", async () => {
    turnTo(store.endpoint);
    expectUnavailable(await during(["fails"], Array.from({ length: 10 }, twelve).flat()));
    // Seldom enough that no call is cut off in all of its attempts, whatever other calls come between them.
    Object.assign(store, { moods: ["cuts", ...Array<Mood>(5).fill("well")], requests: 0 });
    const [{ token }] = [caller];
    for (let n = 0; n < 10; n++) expect((await invoke(listRoadmaps, { token })).status).toBe(200);
    store.moods = ["well"];
  });

  it("with the vote cast once, if every answer to a transaction breaks off", async () => {
    turnTo(store.endpoint);
    const before = (await countOf()) ?? 0;
    const requests = [await aVoter()];
    const replies = await during(["well", "well", ...Array<Mood>(9).fill("cuts the answer")], requests);
    expectUnavailable(replies);
    expect(await countOf()).toBe(before + 1);
    expect(tally(await during(["well"], requests))).toEqual({ "409 VOTE_EXISTS": 1 });
  });
});
