import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { endpoints } from "../../functions/index.ts";
import type { Endpoint } from "../../lib/endpoint.ts";
import type { PostRecord } from "../../lib/posts/posts.ts";
import * as votes from "../../lib/votes/votes.ts";
import { invoke, type Reply, type Request, tally, unavailable } from "../support/http/invoke.ts";
import { losePatience, takePatience } from "../support/patience.ts";
import { expectSound } from "../support/setup.ts";
import { type BadStore, type Mood, startBadStore, turnTo } from "../support/store/bad-store.ts";
import { readInPieces } from "../support/store/partial-reads.ts";
import { aWorld, exampleOf, type World } from "../support/world/examples.ts";
import { aMember, aPost } from "../support/world/fixtures.ts";

let engine: string;
let store: BadStore;
let world: World;
let post: PostRecord;

beforeAll(async () => {
  engine = process.env.DYNAMODB_ENDPOINT as string;
  world = await aWorld();
  // Late in its period of weights (lib/values/trend.ts), a post weighs more than 10^20.
  post = await aPost(world.member, { at: Date.parse("2026-11-01") });
  store = await startBadStore(engine);
});

beforeEach(() => {
  turnTo(store.endpoint);
  store.moods = ["well"];
});

afterAll(async () => {
  store.stop();
  turnTo(engine);
  await expectSound();
});

async function aRequestToEach(): Promise<[Endpoint, Request][]> {
  const { token } = world.owner;
  const requests: [Endpoint, Request][] = [];
  for (const endpoint of endpoints.filter(({ definition }) => definition.contract)) {
    requests.push([endpoint, { token, ...(await exampleOf(endpoint).make(world)) }]);
  }
  return requests;
}

async function during(moods: Mood[], requests: [string | Endpoint, Request][]): Promise<Reply[]> {
  Object.assign(store, { moods, requests: 0 });
  const replies = await Promise.all(requests.map(([endpoint, request]) => invoke(endpoint, request)));
  store.moods = ["well"];
  return replies;
}

const faults: Mood[] = ["cuts", "cuts the answer", "garbles the answer", "talks nonsense", "fails", "throttles"];

describe("The endpoints of the contract", () => {
  const aVoter = async (): Promise<[string, Request]> => {
    const { token } = await aMember();
    return ["votes-add", { token, body: { postId: post.postId } }];
  };

  const countOf = async (): Promise<number | undefined> => (await votes.summary(post.postId))?.count;

  it("answer 503 if the store accepts calls and stays silent, or stalls in the middle of an answer", async () => {
    const requests = await aRequestToEach();
    losePatience();
    turnTo(store.endpoint);
    const replies = await during(["silent", "silent", "stalls"], requests);
    takePatience();
    replies.forEach(unavailable);
    // A silent call is given up after two seconds, and all work after five: at most three calls one after the other,
    // two in parallel.
    expect(store.requests).toBeLessThanOrEqual(requests.length * 3 * 2);
  });

  it("answer 503 while the store does not listen, and work again once it does", async () => {
    const requests = await aRequestToEach();
    const gone = await startBadStore(engine);
    gone.stop();
    turnTo(gone.endpoint);
    (await during([], requests)).forEach(unavailable);
    turnTo(store.endpoint);
    expect((await invoke("roadmaps-list", { token: world.owner.token })).status).toBe(200);
  });

  it.each(faults)("answer 503 if the store %s", async (mood) => {
    const requests = await aRequestToEach();
    (await during([mood], requests)).forEach(unavailable);
  });

  it.each(faults)("succeed if the store %s once", async (mood) => {
    const before = (await countOf()) ?? 0;
    const requests = [await aVoter()];
    // The caller's account and the voters are read first, side by side; then comes the transaction.
    const replies = await during(["well", "well", mood, "well", "well", "well", "well"], requests);
    expect(tally(replies)).toEqual({ 201: 1 });
    expect(await countOf()).toBe(before + 1);
  });

  it("count votes exactly if the store writes large numbers as 9.33E+29", async () => {
    const requests = [await aVoter(), await aVoter()];
    const replies = await during(["shortens numbers"], requests);
    expect(tally(replies)).toEqual({ 201: 2 });
    const exact = (await votes.summary(post.postId))?.trend;
    expect([...(exact?.values() ?? [])].some((sum) => sum > 10n ** 20n)).toBe(true);
    store.moods = ["shortens numbers"];
    expect((await votes.summary(post.postId))?.trend).toEqual(exact);
  });

  it("answer 503 rather than a short page if BatchGet never answers any key", async () => {
    const { boardId } = world.board;
    await aPost(world.member, { boardId });
    readInPieces({ batch: () => 0, page: (limit) => limit });
    unavailable(await invoke("posts-list", { body: { boardId } }));
  });

  it("repeat a refusal that could not be read", async () => {
    const requests = [await aVoter()];
    expect(tally(await during(["well"], requests))).toEqual({ 201: 1 });
    const replies = await during(["well", "well", "garbles the answer", "well", "well"], requests);
    expect(tally(replies)).toEqual({ "409 VOTE_EXISTS": 1 });
  });

  it("survive single failures after an outage in which hundreds of calls failed", async () => {
    const requests = await aRequestToEach();
    (await during(["fails"], Array(10).fill(requests).flat())).forEach(unavailable);
    // Seldom enough that no call is cut off in all of its attempts, whatever other calls come between them.
    Object.assign(store, { moods: ["cuts", ...Array<Mood>(5).fill("well")], requests: 0 });
    const { token } = world.owner;
    for (let n = 0; n < 10; n++) expect((await invoke("roadmaps-list", { token })).status).toBe(200);
  });

  it("cast a vote once, with a 503, if every answer to a transaction breaks off", async () => {
    const before = (await countOf()) ?? 0;
    const requests = [await aVoter()];
    const replies = await during(["well", "well", ...Array<Mood>(9).fill("cuts the answer")], requests);
    replies.forEach(unavailable);
    expect(await countOf()).toBe(before + 1);
    expect(tally(await during(["well"], requests))).toEqual({ "409 VOTE_EXISTS": 1 });
  });
});
