import { beforeEach, describe, expect, it } from "vitest";
import { derive } from "../../../lib/cleanup/derived-rows.ts";
import type { Post } from "../../../lib/http/resources/posts.ts";
import type { PostRecord } from "../../../lib/posts/posts.ts";
import { invoke, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { costOf, measured } from "../../support/store/calls.ts";
import { overtaken } from "../../support/store/faults.ts";
import { aBoard, aMember, aPost, aUser, aVote, type Person, strangersVote } from "../../support/world/fixtures.ts";
import { mergeInto, takeOut } from "../../support/world/merges.ts";

let member: Person;
let moderator: Person;

beforeEach(async () => {
  await freshTable();
  member = await aMember();
  moderator = await aUser("moderator");
});

function setPin(post: PostRecord, isPinned: boolean, by = moderator) {
  return portal.changePost(post, { isPinned }, by);
}

async function pin(post: PostRecord): Promise<void> {
  expect(success(await setPin(post, true), 200).post.isPinned).toBe(true);
}

async function list(body: object, by?: Person) {
  return success(await invoke("posts-list", { token: by?.token, body }), 200);
}

/** The ids of the pinned posts of a list. */
async function pinnedIn(body: object = {}, by?: Person): Promise<string[]> {
  const { pinned } = await list({ ...body, pinned: true }, by);
  return pinned.map(({ postId }: Post) => postId);
}

describe("A pinned post", () => {
  it("is answered beside its lists where that is asked for, and leaves the lists as they are", async () => {
    const { boardId } = await aBoard();
    const first = await aPost(member, { boardId });
    await aPost(member, { boardId });
    await aPost(member);
    const before = await list({ first: 2 });
    await pin(first);
    const after = await list({ first: 2 });
    const unpinned = (posts: Post[]) => posts.map(({ postId }) => postId);
    expect(after).not.toHaveProperty("pinned");
    expect(unpinned(after.posts)).toEqual(unpinned(before.posts));
    expect(after).toMatchObject({ total_count: 3, total_pages: 2, page_info: before.page_info });
    for (const body of [{}, { boardId }, { first: 2 }, { sort: "top", first: 2 }, { page: 2, limit: 1 }])
      expect(await pinnedIn(body)).toEqual([first.postId]);
    expect(await pinnedIn({ boardId: (await aBoard()).boardId })).toEqual([]);
    expect(await pinnedIn({ status: "planned" })).toEqual([]);
    success(await setPin(first, false), 200);
    expect(await pinnedIn()).toEqual([]);
    await expectSound();
  });

  it("stands in the order of the list, with the votes of the caller", async () => {
    const older = await aPost(member);
    const newer = await aPost(member);
    await strangersVote(older.postId, 8);
    await aVote(older.postId, member);
    for (const post of [older, newer]) await pin(post);
    expect(await pinnedIn({ sort: "newest" })).toEqual([newer.postId, older.postId]);
    expect(await pinnedIn({ sort: "oldest" })).toEqual([older.postId, newer.postId]);
    expect(await pinnedIn({ sort: "top" })).toEqual([older.postId, newer.postId]);
    const { pinned } = await list({ sort: "top", pinned: true }, member);
    expect(pinned.map(({ voters }: Post) => voters.viewerVote?.userId)).toEqual([member.userId, undefined]);
  });

  it("costs a list that asks for it a unit; a step by date, none by rank, and other lists nothing", async () => {
    const post = await aPost(member);
    await derive(post.postId);
    const cost = async (body: object) => costOf((await measured(() => invoke("posts-list", { body }))).calls);
    const costs = async (body: object) => [
      await cost({ ...body, sort: "newest" }),
      await cost({ ...body, sort: "top" }),
    ];
    const before = await costs({});
    await pin(post);
    expect(await costs({})).toEqual(before);
    const [byDate, byRank] = await costs({ pinned: true });
    expect(byDate).toMatchObject({ steps: 2, readUnits: (before[0]?.readUnits ?? 0) + 1 });
    expect(byRank).toMatchObject({ steps: before[1]?.steps, readUnits: (before[1]?.readUnits ?? 0) + 1 });
  });

  it("is one of three at most, also where four moderators pin in parallel", async () => {
    const all = [];
    for (let n = 0; n < 4; n++) all.push(await aPost(member));
    const replies = await Promise.all(all.map((post) => setPin(post, true)));
    const refused = replies.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(1);
    for (const reply of refused) refusal(reply, "TOO_MANY_PINNED");
    expect(await pinnedIn()).toHaveLength(3);
    await expectSound();
  });

  it("is pinned for two moderators who pin the same third post in parallel", async () => {
    for (let n = 0; n < 2; n++) await pin(await aPost(member));
    const third = await aPost(member);
    const pinIt = () => setPin(third, true);
    const { slow, fast } = await overtaken(pinIt, pinIt);
    expect([slow, fast].map(({ status }) => status)).toEqual([200, 200]);
    expect(await pinnedIn()).toHaveLength(3);
    await expectSound();
  });

  it("makes room when it is deleted or merged, and is not pinned when it comes back", async () => {
    const posts = [];
    for (let n = 0; n < 5; n++) posts.push(await aPost(member));
    const [deleted, merged, kept, next, last] = posts as [PostRecord, PostRecord, PostRecord, PostRecord, PostRecord];
    for (const post of [deleted, merged, kept]) await pin(post);
    success(await portal.deletePost(deleted, member), 204);
    await pin(next);
    refusal(await setPin(last, true), "TOO_MANY_PINNED");
    const params = { postId: merged.postId };
    success(await invoke("posts-merge", { token: moderator.token, params, body: { into: kept.postId } }), 200);
    await pin(last);
    expect((await pinnedIn()).sort()).toEqual([kept, next, last].map(({ postId }) => postId).sort());
    await expectSound();
  });

  it("comes back without its pin from a merge", async () => {
    const duplicate = await aPost(member, { isPinned: true });
    const target = await aPost(member);
    await mergeInto(duplicate, target.postId);
    expect(await pinnedIn()).toEqual([]);
    await takeOut(duplicate);
    expect((await portal.shownPost(duplicate)).isPinned).toBe(false);
    await expectSound();
  });

  it("is pinned and unpinned by moderators alone", async () => {
    const post = await aPost(member);
    refusal(await setPin(post, true, member), "NOT_ENOUGH_PERMISSION");
    await pin(post);
    refusal(await setPin(post, false, member), "NOT_ENOUGH_PERMISSION");
    refusal(await portal.changePost(post, { isPinned: 1 }, moderator), "VALIDATION_ERROR", "body.isPinned");
    const unchanged = success(await portal.changePost(post, { title: "Mine", isPinned: true }, member), 200).post;
    expect(unchanged).toMatchObject({ title: "Mine", isPinned: true });
  });

  it("is answered with no board if that is hidden, as in the list", async () => {
    const { boardId } = await aBoard({ display: false });
    const post = await aPost(member, { boardId });
    await pin(post);
    const { pinned, posts } = await list({ pinned: true });
    expect(pinned).toEqual(posts);
    expect(pinned).toMatchObject([{ postId: post.postId, board: null }]);
    expect(await pinnedIn({ boardId })).toEqual([]);
    expect(await pinnedIn({ boardId }, moderator)).toEqual([post.postId]);
  });
});
