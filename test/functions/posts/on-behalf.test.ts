import { describe, expect, it } from "vitest";
import { handler as bySlug } from "../../../functions/posts/by-slug.ts";
import { handler as create } from "../../../functions/posts/create.ts";
import { handler as list } from "../../../functions/posts/list.ts";
import { handler as update } from "../../../functions/posts/update.ts";
import * as posts from "../../../lib/posts/posts.ts";
import { newId } from "../../../lib/values/ids.ts";
import { refusal, success } from "../../support/http/answers.ts";
import { invoke } from "../../support/http/invoke.ts";
import { measured } from "../../support/store/calls.ts";
import { costOf, planOf } from "../../support/store/plans.ts";
import { expectSound } from "../../support/store/sound.ts";
import { aBoard, aMember, aUser } from "../../support/world/fixtures.ts";

function write(token: string, authorId: unknown) {
  return invoke(create, { token, body: { title: "By mail", authorId } });
}
async function seen(slug: string, token?: string) {
  return (await invoke(bySlug, { body: { slug }, token })).body.post;
}

describe("POST /posts with authorId", () => {
  it("makes the post that account's, which may change it", async () => {
    const [owner, author] = [await aUser("owner"), await aMember("Grace")];
    const { post } = success(await write(owner.token, author.userId.toUpperCase()), 201);
    expect(post.userId).toBe(author.userId);
    expect((await seen(post.slug)).author).toMatchObject({ userId: author.userId, name: "Grace" });
    const change = { id: post.postId, title: "Said otherwise" };
    success(await invoke(update, { token: author.token, body: change }), 200);
    await expectSound();
  });

  it("tells moderators and owners who wrote it, and nobody else", async () => {
    const [owner, author] = [await aUser("owner"), await aMember()];
    const { slug } = success(await write(owner.token, author.userId), 201).post;
    for (const { token } of [owner, await aUser("moderator")]) expect((await seen(slug, token)).by).toBe(owner.userId);
    for (const token of [undefined, author.token]) {
      expect(JSON.stringify(await seen(slug, token))).not.toContain(owner.userId);
    }
    expect(JSON.stringify((await invoke(list, { body: {} })).body)).not.toContain(owner.userId);
  });

  it("is for the owner, unless it is one's own", async () => {
    const author = await aMember();
    for (const role of ["moderator", "member", "suspended"] as const) {
      refusal(await write((await aUser(role)).token, author.userId), "NOT_ENOUGH_PERMISSION");
    }
    const { post } = success(await write(author.token, author.userId), 201);
    expect(await posts.find(post.postId)).not.toHaveProperty("by");
  });

  it("refuses an unknown account", async () => {
    const owner = await aUser("owner");
    for (const unknown of [newId(), "nobody", "", 7, {}]) {
      const reply = await write(owner.token, unknown);
      refusal(reply, "USER_NOT_FOUND");
      expect(reply.calls.filter(({ writeUnits }) => writeUnits > 0)).toEqual([]);
    }
  });

  it("costs a read of the author beside the first step, and nothing where it is absent", async () => {
    await aBoard();
    const [owner, author] = [await aUser("owner"), await aMember()];
    const written =
      "TransactWriteItems (Put POSTS, Put POSTS, Put USER, Put LIST, Update COUNTS, Put LIST, Update COUNTS, Update CATALOGUE)";
    for (const [authorId, read, readUnits] of [
      [undefined, "GetItem USER | Query CATALOGUE", 2],
      [null, "GetItem USER | Query CATALOGUE", 2],
      [owner.userId, "GetItem USER | Query CATALOGUE", 2],
      [author.userId, "GetItem USER | GetItem USER | Query CATALOGUE", 3],
    ] as const) {
      const { calls } = await measured(() => write(owner.token, authorId));
      expect(planOf(calls)).toBe(`${read} ; ${written}`);
      expect(costOf(calls)).toMatchObject({ steps: 2, readUnits, writeUnits: 16 });
    }
  });
});
