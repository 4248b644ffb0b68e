import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { work as sweep } from "../../../functions/background/sweep.ts";
import * as tags from "../../../lib/catalogue/tags.ts";
import { derive } from "../../../lib/cleanup/derived-rows.ts";
import * as sweeps from "../../../lib/cleanup/sweeps.ts";
import { EventItem } from "../../../lib/events/events.ts";
import type * as resource from "../../../lib/http/resources.ts";
import { find as findPost, type PostRecord } from "../../../lib/posts/posts.ts";
import { nameOf, tagList } from "../../../lib/table/post-lists.ts";
import { range } from "../../../lib/table/ranges.ts";
import { getRange } from "../../../lib/table/reads.ts";
import { newId } from "../../../lib/values/ids.ts";
import { anId, atOnce, carryOutAll, invoke, type Reply, refusal, success, tally } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectRanked, expectSound, freshTable } from "../../support/setup.ts";
import { cutAt, overtaken } from "../../support/store/faults.ts";
import { aBoard, aMember, aPost, aTag, aUser, type Person } from "../../support/world/fixtures.ts";
import { mergeInto, takeOut } from "../../support/world/merges.ts";

let moderator: Person;
beforeEach(async () => {
  await freshTable();
  moderator = await aUser("moderator");
});

async function listed(): Promise<resource.Tag[]> {
  return success(await invoke("tags-list", {}), 200).tags;
}

function create(tag: object, headers: Record<string, string> = {}): Promise<Reply> {
  return invoke("tags-create", { token: moderator.token, body: { tag }, headers });
}

function update(tagId: string, tag: object): Promise<Reply> {
  return invoke("tags-update", { token: moderator.token, params: { tagId }, body: { tag } });
}

function remove(tagId: string): Promise<Reply> {
  return invoke("tags-delete", { token: moderator.token, params: { tagId } });
}

async function aTaggedPost(...given: tags.TagRecord[]) {
  const post = await aPost(await aMember());
  success(await portal.setTags(post, idsOf(given), moderator), 200);
  await derive(post.postId);
  return post;
}

function idsOf(given: tags.TagRecord[]): string[] {
  return given.map(({ tagId }) => tagId);
}

describe("Tags", () => {
  it("are created with a name and a color, and listed for everybody by their names", async () => {
    const mobile = success(await create({ name: " Mobile ", color: "0A5FA8" }), 201).tag;
    expect(mobile).toStrictEqual({ id: anId, name: "Mobile", color: "0a5fa8" });
    const api = success(await create({ name: "api" }), 201).tag;
    expect(api.color).toMatch(/^[0-9a-f]{6}$/);
    const body = success(await invoke("tags-list", {}), 200);
    expect(body.tags).toStrictEqual([api, mobile]);
    expect(body.results).toStrictEqual([api, mobile]);
    await expectSound();
  });

  it("are made once by a repeated Idempotency-Key", async () => {
    const headers = { "idempotency-key": newId() };
    const first = success(await create({ name: "Mobile" }, headers), 201);
    expect(success(await create({ name: "Mobile" }, headers), 201)).toStrictEqual(first);
    expect(await listed()).toStrictEqual([first.tag]);
  });

  it("have names that no other tag has, in any case", async () => {
    const street = await aTag({ name: "Straße" });
    const other = await aTag({ name: "Other" });
    refusal(await create({ name: "STRASSE" }), "TAG_EXISTS");
    refusal(await update(other.tagId, { name: "strasse" }), "TAG_EXISTS");
    expect(success(await update(street.tagId, { name: "STRASSE" }), 200).tag.name).toBe("STRASSE");
    success(await update(street.tagId, { name: "Road" }), 200);
    expect(success(await update(other.tagId, { name: "Straße" }), 200).tag.name).toBe("Straße");
    success(await remove(other.tagId), 204);
    success(await create({ name: "Straße" }), 201);
    await expectSound();
  });

  it("get a name once, however many ask for it in parallel", async () => {
    const replies = await atOnce(5, (n) => create({ name: n % 2 === 0 ? "Mobile" : "MOBILE" }));
    expect(tally(replies)).toEqual({ 201: 1, "409 TAG_EXISTS": 4 });
    await expectSound();
  });

  it.each([
    ["an empty name", { name: " " }, "name"],
    ["a name of 41 characters", { name: "x".repeat(41) }, "name"],
    ["no name", {}, "name"],
    ["a color with a sign", { name: "Mobile", color: "#0a5fa8" }, "color"],
  ])("have no %s", async (_, tag, field) => {
    refusal(await create(tag), "VALIDATION_ERROR", `body.tag.${field}`);
  });

  it("are at most 100, also where two make the last one", async () => {
    for (let n = 1; n < tags.MAX_TAGS; n++) await aTag();
    const replies = await atOnce(2, (n) => create({ name: `Last ${n}` }));
    expect(tally(replies)).toEqual({ 201: 1, "409 TOO_MANY_TAGS": 1 });
    expect(await listed()).toHaveLength(tags.MAX_TAGS);
    await remove((await listed())[0]?.id ?? "");
    success(await create({ name: "Again" }), 201);
    await expectSound();
  });

  it("are not found by other ids", async () => {
    for (const tagId of [newId(), "mobile"]) {
      refusal(await update(tagId, { name: "Mobile" }), "TAG_NOT_FOUND");
      refusal(await remove(tagId), "TAG_NOT_FOUND");
    }
  });
});

describe("PUT /posts/{postId}/tags", () => {
  it("gives a post tags in place of others, and takes them all", async () => {
    const post = await aPost(await aMember());
    const mobile = await aTag({ name: "mobile" });
    const api = await aTag({ name: "API" });
    const names = async (...given: tags.TagRecord[]) => {
      const reply = await portal.setTags(post, idsOf(given), moderator);
      return success(reply, 200).post.tags.map(({ name }: resource.Tag) => name);
    };
    expect(await names(mobile, api, mobile)).toEqual(["API", "mobile"]);
    expect((await portal.shownPost(post)).tags.map(({ name }) => name)).toEqual(["API", "mobile"]);
    expect(await names(mobile)).toEqual(["mobile"]);
    expect(await names()).toEqual([]);
    await derive(post.postId);
    await expectSound();
    await expectRanked();
  });

  it("tells programs by post.updated, once", async () => {
    const post = await aPost(await aMember());
    const tag = await aTag();
    for (const _ of [1, 2]) success(await portal.setTags(post, [tag.tagId], moderator), 200);
    const stored = await getRange(range.events(), EventItem);
    expect(stored.filter(({ type }) => type === "post.updated")).toMatchObject([
      { postId: post.postId, changed: ["tags"], by: moderator.userId },
    ]);
  });

  it("refuses tags that do not exist, more than ten, and callers who may not", async () => {
    const author = await aMember();
    const post = await aPost(author);
    const all = await atOnce(11, () => aTag());
    refusal(await portal.setTags(post, [newId()], moderator), "TAG_NOT_FOUND");
    refusal(await portal.setTags(post, ["mobile"], moderator), "TAG_NOT_FOUND");
    refusal(await portal.setTags(post, idsOf(all), moderator), "VALIDATION_ERROR", "body.tags");
    refusal(await portal.setTags(post, all[0]?.tagId, moderator), "VALIDATION_ERROR", "body.tags");
    refusal(await portal.setTags(post, [], author), "NOT_ENOUGH_PERMISSION");
    refusal(await portal.setTags({ postId: newId() }, [], moderator), "POST_NOT_FOUND");
    success(await portal.setTags(post, idsOf(all.slice(1)), moderator), 200);
    await expectSound();
  });

  it("does not give a tag that is deleted meanwhile", async () => {
    const post = await aPost(await aMember());
    const tag = await aTag();
    const { slow } = await overtaken(
      () => portal.setTags(post, [tag.tagId], moderator),
      () => tags.remove(tag),
    );
    refusal(slow, "TAG_NOT_FOUND");
    expect((await portal.shownPost(post)).tags).toEqual([]);
    await expectSound();
  });
});

describe("A list of posts", () => {
  it("is filtered by a tag in every order, with exact totals by date", async () => {
    const tag = await aTag();
    const other = await aTag();
    const both = await aTaggedPost(tag, other);
    const one = await aTaggedPost(tag);
    await aTaggedPost(other);
    for (const sort of ["newest", "oldest", "top", "trending"]) {
      const found = await portal.ids({ sort, tag: tag.tagId });
      expect(found.toSorted()).toEqual([both.postId, one.postId]);
      const { total_count, total_is_minimum } = await portal.page({ sort, tag: tag.tagId, first: 1 });
      expect(total_count).toBe(2);
      expect(total_is_minimum).toBe(false);
    }
    expect(await portal.ids({ tag: tag.tagId, page: 2, limit: 1 })).toEqual([both.postId]);
  });

  it("has a post with several of the asked tags once, and counts it once", async () => {
    const given = [await aTag(), await aTag()];
    const posts = [await aTaggedPost(...given), await aTaggedPost(given[0] as tags.TagRecord)];
    const ids = posts.map(({ postId }) => postId);
    for (const sort of ["oldest", "top"]) {
      const page = await portal.page({ sort, tag: idsOf(given), first: 10 });
      expect(page.posts.map(({ postId }: resource.Post) => postId).toSorted()).toEqual(ids);
      expect(page.total_count).toBe(2);
      expect(await portal.list({ sort, tag: idsOf(given), page: 3, limit: 1 })).toEqual([]);
    }
  });

  it("finds posts with a tag by words of their titles", async () => {
    const tag = await aTag();
    const post = await aTaggedPost(tag);
    await aTaggedPost();
    const find = async (tagId: string) => {
      const { results } = success(await invoke("posts-search", { body: { query: "post", tag: tagId } }), 200);
      return results.map(({ postId }: resource.Post) => postId);
    };
    expect(await find(tag.tagId)).toEqual([post.postId]);
    expect(await find(newId())).toEqual([]);
  });

  it("does not tell of posts on a hidden board by a tag more than without it", async () => {
    const { boardId } = await aBoard({ display: false });
    const tag = await aTag();
    const post = await aPost(await aMember(), { boardId, tagIds: [tag.tagId] });
    const asked = { first: 10, boardId };
    for (const filter of [asked, { ...asked, tag: tag.tagId }]) {
      expect(await portal.page(filter)).toMatchObject({ posts: [], total_count: 0 });
      expect(await portal.ids(filter, moderator)).toEqual([post.postId]);
    }
    expect(Object.keys((await listed())[0] ?? {})).toEqual(["id", "name", "color"]);
  });
});

describe("A changed tag", () => {
  it("has its new name and color on all posts, by one changed item", async () => {
    const tag = await aTag();
    const posts = [await aTaggedPost(tag), await aTaggedPost(tag)];
    success(await update(tag.tagId, { name: "Renamed", color: "123456" }), 200);
    for (const post of posts)
      expect((await portal.shownPost(post)).tags).toStrictEqual([{ id: tag.tagId, name: "Renamed", color: "123456" }]);
    await expectSound();
  });

  it("keeps what a call does not name", async () => {
    const { tagId, color } = await aTag({ name: "Mobile" });
    expect(success(await update(tagId, { name: "Phones" }), 200).tag).toStrictEqual({
      id: tagId,
      name: "Phones",
      color,
    });
    expect(success(await update(tagId, {}), 200).tag.name).toBe("Phones");
  });
});

describe("A deleted tag", () => {
  const anything = z.object({ sk: z.string() });

  it("is gone from posts and lists immediately, and the sweep removes its rows and counts", async () => {
    const tag = await aTag();
    const kept = await aTag();
    const post = await aTaggedPost(tag, kept);
    const list = tagList(tag.tagId);
    success(await remove(tag.tagId), 204);
    const expectGone = async () => {
      expect((await portal.shownPost(post)).tags.map(({ id }) => id)).toEqual([kept.tagId]);
      for (const sort of ["newest", "top"]) expect(await portal.ids({ sort, tag: tag.tagId })).toEqual([]);
      expect(await portal.ids({ tag: [tag.tagId, kept.tagId] })).toEqual([post.postId]);
      await expectSound();
    };
    await expectGone();
    await carryOutAll(sweep);
    await expectGone();
    expect(await getRange(range.listRows(list), anything)).toEqual([]);
    expect(await getRange(range.dayCounts(list), anything)).toEqual([]);
    // The post changes, and its id of the deleted tag is in nobody's way.
    success(await portal.setStatus(post, { status: "planned" }, moderator), 200);
    success(await portal.setTags(post, [kept.tagId], moderator), 200);
    success(await portal.deletePost(post, moderator), 204);
    await carryOutAll(sweep);
    await expectSound();
  });

  it("is swept whole, wherever a sweep is killed", async () => {
    for (let call = 1, isCut = true; isCut; call++) {
      const tag = await aTag();
      await aTaggedPost(tag);
      await tags.remove(tag);
      const name = nameOf(tagList(tag.tagId));
      isCut = await cutAt(call, () => sweeps.sweep(name));
      await expectSound();
      await sweeps.sweep(name);
      expect(await getRange(range.listRows(tagList(tag.tagId)), anything)).toEqual([]);
      await expectSound();
    }
  });

  it("does not come back with a post that was merged when it had the tag", async () => {
    const tag = await aTag();
    const kept = await aTag();
    const target = await aTaggedPost();
    const { postId } = await aTaggedPost(tag, kept);
    const duplicate = (await findPost(postId)) as PostRecord;
    await mergeInto(duplicate, target.postId);
    expect(await portal.ids({ tag: kept.tagId })).toEqual([]);
    await tags.remove(tag);
    await takeOut(duplicate);
    expect(await portal.ids({ tag: kept.tagId })).toEqual([postId]);
    expect((await portal.shownPost(duplicate)).tags.map(({ id }) => id)).toEqual([kept.tagId]);
    await expectSound();
  });
});
