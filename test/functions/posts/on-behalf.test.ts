import { beforeAll, describe, expect, it } from "vitest";
import * as posts from "../../../lib/posts/posts.ts";
import { refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound } from "../../support/setup.ts";
import { costOf, measured, planOf } from "../../support/store/calls.ts";
import { aBoard, aMember, aUser, type Person } from "../../support/world/fixtures.ts";

describe("POST /posts with authorId", () => {
  let owner: Person;
  let author: Person;
  beforeAll(async () => {
    owner = await aUser("owner");
    author = await aMember("Grace");
  });

  const postFor = (authorId: unknown, by: Person) => portal.post({ title: "By mail", authorId }, by);

  it("makes the account the author, who may change the post", async () => {
    const { post } = success(await postFor(author.userId.toUpperCase(), owner), 201);
    expect(post.userId).toBe(author.userId);
    expect((await portal.shownPost(post)).author).toMatchObject({ userId: author.userId, name: "Grace" });
    success(await portal.changePost(post, { title: "Said otherwise" }, author), 200);
    await expectSound();
  });

  it("tells moderators and owners who wrote it, and nobody else", async () => {
    const { post } = success(await postFor(author.userId, owner), 201);
    for (const caller of [owner, await aUser("moderator")]) {
      expect(await portal.shownPost(post, caller)).toMatchObject({ by: owner.userId });
    }
    for (const caller of [undefined, author]) {
      expect(JSON.stringify(await portal.shownPost(post, caller))).not.toContain(owner.userId);
    }
    expect(JSON.stringify(await portal.list())).not.toContain(owner.userId);
  });

  it("refuses every caller but the owner", async () => {
    for (const role of ["moderator", "member", "suspended"] as const) {
      refusal(await postFor(author.userId, await aUser(role)), "NOT_ENOUGH_PERMISSION");
    }
  });

  it("allows everybody to name themselves", async () => {
    const { post } = success(await postFor(author.userId, author), 201);
    expect(await posts.find(post.postId)).not.toHaveProperty("by");
  });

  it("costs a read of the author in the first step, and nothing where it is absent", async () => {
    await aBoard();
    const costs = async (authorId: unknown) => {
      const { calls } = await measured(() => postFor(authorId, owner));
      const { steps, readUnits, writeUnits } = costOf(calls);
      return [planOf(calls).split(" ; ")[0], steps, readUnits, writeUnits];
    };
    for (const nobody of [undefined, null, owner.userId]) {
      expect(await costs(nobody)).toEqual(["GetItem USER | Query CATALOGUE", 2, 2, 20]);
    }
    expect(await costs(author.userId)).toEqual(["BatchGetItem 2 USER | Query CATALOGUE", 2, 3, 20]);
  });
});
