import { beforeAll, describe, expect, it } from "vitest";
import * as posts from "../../../lib/posts/posts.ts";
import { refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound } from "../../support/setup.ts";
import { aMember, aUser, type Person } from "../../support/world/fixtures.ts";

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
});
