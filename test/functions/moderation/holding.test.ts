import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Policy } from "../../../lib/accounts/moderation-policy.ts";
import { MOST_HELD } from "../../../lib/posts/held.ts";
import * as posts from "../../../lib/posts/posts.ts";
import { key } from "../../../lib/table/keys.ts";
import { get } from "../../../lib/table/reads.ts";
import { newId } from "../../../lib/values/ids.ts";
import { anId, atOnce, invoke, type Reply, refusal, success, tally } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound } from "../../support/setup.ts";
import { costOf, measured } from "../../support/store/calls.ts";
import { overtaken } from "../../support/store/faults.ts";
import { anything } from "../../support/store/items.ts";
import { aWorld, type World } from "../../support/world/examples.ts";
import { aBoard, aComment, aKey, aMember, aPost, type Person } from "../../support/world/fixtures.ts";
import { aHeldComment, aHeldPost, setPolicy } from "../../support/world/held.ts";
import { mergeInto } from "../../support/world/merges.ts";
import { LONGEST_TEXT, worstOf } from "../../support/world/worst-calls.ts";

let world: World;
/** A member who has written nothing yet. */
let newcomer: Person;

beforeAll(async () => {
  world = await aWorld();
});

beforeEach(async () => {
  newcomer = await aMember();
});

afterEach(async () => {
  await setPolicy({});
  await expectSound();
});

async function isHeld(reply: Promise<Reply>): Promise<boolean> {
  return success(await reply, 201).held === true;
}

async function own(person: Person) {
  return success(await invoke("users-held", { token: person.token }), 200).results;
}

async function reasonsOf(id: string): Promise<string[]> {
  const { results } = success(await invoke("moderation-list", { token: world.moderator.token }), 200);
  return results.find((each: { id: string }) => each.id === id)?.reasons;
}

describe("A new post", () => {
  it("is held for nobody by default", async () => {
    expect(success(await portal.post({ title: "Dark mode" }, newcomer), 201)).not.toHaveProperty("held");
  });

  it("answers like any other, with `held`, and waits for the team", async () => {
    await setPolicy({ posts: "all" });
    const { boardId } = await aBoard({ name: "Ideas" });
    const body = { title: "Dark mode", contentMarkdown: "At **night**.", boardId };
    const { post, held } = success(await portal.post(body, newcomer), 201);
    expect(held).toBe(true);
    expect(post).toMatchObject({ postId: anId, title: "Dark mode", boardId, userId: newcomer.userId });
    expect(await reasonsOf(post.postId)).toEqual(["all"]);
    expect(await own(newcomer)).toEqual([
      {
        ...{
          id: post.postId,
          kind: "post",
          since: post.createdAt,
          title: "Dark mode",
          text: "At **night**.",
          post: null,
        },
        board: expect.objectContaining({ boardId, name: "Ideas" }),
      },
    ]);
    expect(await own(world.member)).toEqual([]);
  });

  it("is nowhere until it is approved", async () => {
    await setPolicy({ posts: "all" });
    const { post } = success(await portal.post({ title: "Dark mode" }, newcomer), 201);
    refusal(await portal.open(post.slug, newcomer), "POST_NOT_FOUND");
    refusal(await portal.open(post.slug, world.owner), "POST_NOT_FOUND");
    refusal(await portal.vote(post, newcomer), "POST_NOT_FOUND");
    refusal(await portal.changePost(post, { title: "Spam" }, newcomer), "POST_NOT_FOUND");
    refusal(await portal.deletePost(post, newcomer), "POST_NOT_FOUND");
    refusal(await portal.comment(post, { body: "Me too" }, newcomer), "POST_NOT_FOUND");
  });

  const cases: [string, Partial<Policy>, object, string[] | undefined][] = [
    ["a newcomer's", { posts: "first" }, { title: "Dark mode" }, ["first"]],
    ["a newcomer's with a link", { links: true }, { title: "Buy", contentMarkdown: "[here](/x)" }, ["links"]],
    ["a newcomer's with an address", { links: true }, { title: "See www.example.com" }, ["links"]],
    ["a newcomer's without a link", { links: true }, { title: "Dark mode: now" }, undefined],
    ["one with a word of the list", { words: ["Casino"] }, { title: "My CASINÓ!" }, ["words"]],
    ["one with a hidden word", { words: ["casino"] }, { title: "A ca**si**no&#33;" }, ["words"]],
    ["one with a group of words", { words: ["buy now"] }, { title: "You must buy now" }, ["words"]],
    [
      "such a group with other blanks",
      { words: ["buy now"] },
      { title: "Hi", contentMarkdown: "Buy  \t**now**" },
      ["words"],
    ],
    [
      "such a group on two lines",
      { words: ["buy  now"] },
      { title: "Hi", contentMarkdown: "You must buy\nnow" },
      ["words"],
    ],
    ["such a group with a fixed blank", { words: ["buy now"] }, { title: "Buy\u00a0now" }, ["words"]],
    ["no text for accents alone", { words: ["´", "¨", "&#0;"] }, { title: "An ordinary title" }, undefined],
    ["one with a longer word", { words: ["casino"] }, { title: "Casinoesque" }, undefined],
    ["one in Japanese", { words: ["カジノ"] }, { title: "新しいカジノです" }, ["words"]],
    ["all, for each reason", { posts: "all", words: ["spam"] }, { title: "Spam" }, ["words", "all"]],
  ];
  it.each(cases)("is held or not by its text and its author: %s", async (_, policy, body, reasons) => {
    await setPolicy(policy);
    const { post, held } = success(await portal.post(body, newcomer), 201);
    expect(held).toBe(reasons ? true : undefined);
    expect(await reasonsOf(post.postId)).toEqual(reasons);
  });

  it("is stored with its text alone, also where its author is named as its author", async () => {
    await setPolicy({ posts: "all" });
    const body = { title: "Dark mode", authorId: newcomer.userId };
    const { post } = success(await portal.post(body, newcomer), 201);
    const stored = await get(key.held(post.postId), anything);
    expect(Object.keys(stored ?? {}).sort()).toEqual(["boardId", "kind", "pk", "reasons", "sk", "title", "userId"]);
  });

  it("appears immediately if the team writes it, or the owner for another person", async () => {
    await setPolicy({ posts: "all", links: true, words: ["mode"] });
    expect(await isHeld(portal.post({ title: "A mode" }, world.owner))).toBe(false);
    expect(await isHeld(portal.post({ title: "A mode" }, world.moderator))).toBe(false);
    const key = await aKey(world.moderator, ["post:create"]);
    expect(await isHeld(portal.post({ title: "A mode" }, { token: key.text }))).toBe(false);
    const forOther = { title: "A mode", authorId: newcomer.userId };
    expect(await isHeld(portal.post(forOther, world.owner))).toBe(false);
  });

  it("appears immediately if its author wrote something before newcomers were held", async () => {
    await aPost(newcomer);
    const quiet = await aMember();
    await setPolicy({ posts: "first", comments: "first", since: Date.now() + 1000 });
    expect(await isHeld(portal.post({ title: "Dark mode" }, newcomer))).toBe(false);
    expect(await isHeld(portal.post({ title: "Dark mode" }, quiet))).toBe(true);
    const { postId } = await aPost(world.owner);
    // A post says nothing of comments.
    expect(await isHeld(portal.comment({ postId }, { body: "Me too" }, newcomer))).toBe(true);
  });

  it("needs its board", async () => {
    await setPolicy({ posts: "all" });
    refusal(await portal.post({ title: "Dark mode", boardId: newId() }, newcomer), "BOARD_NOT_FOUND");
    const { boardId } = await aBoard({ display: false });
    refusal(await portal.post({ title: "Dark mode", boardId }, newcomer), "BOARD_NOT_FOUND");
  });

  it("sent twice under one key waits once, with one answer", async () => {
    await setPolicy({ posts: "all" });
    const request = {
      token: newcomer.token,
      headers: { "idempotency-key": newId() },
      body: { title: "Dark mode" },
    };
    const replies = await atOnce(5, () => invoke("posts-create", request));
    const [first] = replies.map((reply) => success(reply, 201));
    expect(first.held).toBe(true);
    for (const { body } of replies) expect(body).toEqual(first);
    expect(await own(newcomer)).toHaveLength(1);
  });

  it("is refused once as many of its author wait as may, whatever is sent in parallel", async () => {
    await setPolicy({ posts: "all" });
    for (let n = 0; n < MOST_HELD - 2; n++) await aHeldPost(newcomer);
    const replies = await atOnce(6, () => portal.post({ title: "Dark mode" }, newcomer));
    expect(tally(replies)).toEqual({ 201: 2, "429 TOO_MANY_REQUESTS": 4 });
    expect(await own(newcomer)).toHaveLength(MOST_HELD);
    const refused = replies.find(({ status }) => status === 429);
    expect(refused?.headers["retry-after"]).toBe("3600");
    expect(await isHeld(portal.post({ title: "Dark mode" }, await aMember()))).toBe(true);
  });
});

describe("A new text of an account that is erased during the call", () => {
  it("is refused as if nobody had sent it, not as one too many", async () => {
    await setPolicy({ posts: "all" });
    const { slow } = await overtaken(
      () => portal.post({ title: "Dark mode" }, newcomer),
      () => invoke("users-delete-profile", { token: newcomer.token, body: {} }),
      ({ input }) => JSON.stringify(input).includes('"HELD"'),
    );
    refusal(slow, "INVALID_TOKEN");
  });
});

describe("A new comment", () => {
  it("is held by the rule of comments, and answers like any other", async () => {
    await setPolicy({ comments: "first" });
    const post = await aPost(world.author, { title: "Dark mode" });
    const { activity, held } = success(await portal.comment(post, { body: "Me too." }, newcomer), 201);
    expect(held).toBe(true);
    expect(activity).toMatchObject({ id: anId, comment: { body: "Me too." } });
    const { title, slug, postId } = post;
    expect(await own(newcomer)).toEqual([
      {
        ...{ id: activity.id, kind: "comment", since: activity.created_at, title: null, text: "Me too.", board: null },
        post: { postId, title, slug },
      },
    ]);
    const comments = await invoke("comments-list", { token: world.owner.token, params: { postId } });
    expect(success(comments, 200)).toMatchObject({ activity: [], total_count: 0 });
    expect((await portal.shownPost(post)).commentsCount).toBe(0);
    const params = { postId, commentId: activity.id };
    refusal(await invoke("comments-by-id", { token: world.owner.token, params }), "COMMENT_NOT_FOUND");
  });

  it("appears immediately if the team writes it, as does a note", async () => {
    await setPolicy({ comments: "all" });
    const post = await aPost(world.author);
    expect(await isHeld(portal.comment(post, { body: "Soon." }, world.moderator))).toBe(false);
    expect(await isHeld(portal.comment(post, { body: "Hm.", is_internal: true }, world.moderator))).toBe(false);
  });

  it("needs its post, and the comment that it answers", async () => {
    await setPolicy({ comments: "all" });
    refusal(await portal.comment({ postId: newId() }, { body: "Me too." }, newcomer), "POST_NOT_FOUND");
    const post = await aPost(world.author);
    refusal(await portal.comment(post, { body: "Yes", parent_id: newId() }, newcomer), "COMMENT_NOT_FOUND");
  });

  it("tells its author nothing of a post whose board was hidden meanwhile", async () => {
    await setPolicy({ comments: "all" });
    const { boardId } = await aBoard({ display: true });
    const post = await aPost(world.author, { boardId });
    success(await portal.comment(post, { body: "Me too." }, newcomer), 201);
    const hide = { token: world.owner.token, body: { boardId, display: false } };
    success(await invoke("boards-update", hide), 200);
    expect(await own(newcomer)).toMatchObject([{ text: "Me too.", post: null }]);
  });
});

describe("A change by the author", () => {
  it("puts in no link of a newcomer, no word and, where all wait, nothing", async () => {
    const post = await aPost(newcomer, { title: "Dark mode", contentMarkdown: "At night." });
    const comment = await aComment(post.postId, newcomer);
    const change = (text: string) => portal.changePost(post, { contentMarkdown: text }, newcomer);
    const rewrite = (body: string) => {
      const params = { postId: post.postId, commentId: comment.commentId };
      return invoke("comments-update", { token: newcomer.token, params, body: { body } });
    };
    await setPolicy({ links: true, words: ["casino"] });
    refusal(await change("https://example.com"), "NEEDS_APPROVAL");
    refusal(await rewrite("https://example.com"), "NEEDS_APPROVAL");
    refusal(await change("A casino."), "NEEDS_APPROVAL");
    refusal(await rewrite("A casino."), "NEEDS_APPROVAL");
    refusal(await portal.changePost(post, { title: "A casino" }, newcomer), "NEEDS_APPROVAL");
    success(await change("In the morning."), 200);
    success(await rewrite("In the morning."), 200);
    await setPolicy({ posts: "all", comments: "all" });
    refusal(await change("At noon."), "NEEDS_APPROVAL");
    refusal(await rewrite("At noon."), "NEEDS_APPROVAL");
    // A change that changes nothing, and the team's.
    success(await change("In the morning."), 200);
    success(await portal.changePost(post, { contentMarkdown: "https://example.com casino" }, world.moderator), 200);
  });

  it("may put in links of a person whom the team knows, and keep words that were there", async () => {
    const post = await aPost(newcomer, { contentMarkdown: "My casino." });
    await setPolicy({ links: true, words: ["casino"], since: Date.now() + 1000 });
    success(await portal.changePost(post, { contentMarkdown: "My casino: https://example.com" }, newcomer), 200);
  });
});

describe("The policy", () => {
  const read = (by: Person) => invoke("settings-moderation", { token: by.token });
  const change = (body: object, by = world.owner) => invoke("settings-update-moderation", { token: by.token, body });

  it("is read by the team and changed by the owner, field by field", async () => {
    const nothing = { posts: "none", comments: "none", links: false, words: [], blockedMailDomains: [] };
    expect(success(await read(world.moderator), 200)).toEqual({ moderation: nothing });
    refusal(await read(newcomer), "NOT_ENOUGH_PERMISSION");
    refusal(await change({ links: true }, world.moderator), "NOT_ENOUGH_PERMISSION");
    const words = ["casino", " casino ", "Buy now"];
    const changed = { ...nothing, posts: "first", words: ["casino", "Buy now"] };
    expect(success(await change({ posts: "first", words }), 200)).toEqual({ moderation: changed });
    expect(success(await change({ links: true }), 200).moderation).toEqual({ ...changed, links: true });
    expect(success(await read(world.owner), 200).moderation).toEqual({ ...changed, links: true });
  });

  it("takes at most 200 words of 50 characters", async () => {
    const words = Array.from({ length: 201 }, (_, n) => `word${n}`);
    success(await change({ words: words.slice(1) }), 200);
    refusal(await change({ words }), "VALIDATION_ERROR", "body.words");
    refusal(await change({ words: ["x".repeat(51)] }), "VALIDATION_ERROR", "body.words.0");
  });

  it("makes nobody known who was a newcomer when a word was added", async () => {
    success(await change({ links: true }), 200);
    const person = await aMember();
    success(await portal.post({ title: "Dark mode" }, person), 201);
    success(await change({ words: ["casino"] }), 200);
    expect(await isHeld(portal.post({ title: "https://example.com" }, person))).toBe(true);
  });
});

// Last, because they fill the first page of the queue.
describe("The list of what of one's own waits", () => {
  it("names the post on which a comment will be, where merges have brought it elsewhere", async () => {
    const post = await aPost(world.author);
    const between = await aPost(world.author);
    const last = await aPost(world.author, { title: "Dark mode" });
    const { id } = await aHeldComment(post.postId, newcomer);
    await mergeInto(post, between.postId);
    await mergeInto(between, last.postId);
    const named = { postId: last.postId, title: "Dark mode", slug: last.slug };
    expect(await own(newcomer)).toMatchObject([{ id, post: named }]);
    await posts.destroy(last);
    expect(await own(newcomer)).toMatchObject([{ id, post: null }]);
  });

  it("names no post on a board that its author does not see, also if a merge has led there", async () => {
    const { boardId } = await aBoard({ display: false });
    const post = await aPost(world.author);
    const hidden = await aPost(world.author, { boardId });
    const { id } = await aHeldComment(post.postId, newcomer);
    await mergeInto(post, hidden.postId);
    expect(await own(newcomer)).toMatchObject([{ id, post: null }]);
  });

  it("costs no more than is counted for it where each of twenty comments was on another merged post", async () => {
    const text = { contentMarkdown: LONGEST_TEXT };
    for (let n = 0; n < MOST_HELD; n++) {
      const post = await aPost(world.author, text);
      await aHeldComment(post.postId, newcomer, { body: LONGEST_TEXT.slice(0, 5000) });
      await mergeInto(post, (await aPost(world.author, text)).postId);
    }
    const { body, calls } = await measured(() => invoke("users-held", { token: newcomer.token }));
    expect(body.results.filter(({ post }: { post: object | null }) => post)).toHaveLength(MOST_HELD);
    expect(costOf(calls).readUnits).toBeLessThanOrEqual(worstOf("users-held").reads);
  });
});
