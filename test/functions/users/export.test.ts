import { beforeEach, describe, expect, it } from "vitest";
import * as identities from "../../../lib/accounts/identities.ts";
import { SSO_ISSUER } from "../../../lib/auth/sso.ts";
import { invoke, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { freshTable } from "../../support/setup.ts";
import { aComment, aKey, aMember, aPost, aUser, aVote, type Person } from "../../support/world/fixtures.ts";

beforeEach(freshTable);

type Page = ReturnType<typeof success>;

async function dataOf({ token }: Person): Promise<Page[]> {
  return portal.walk(async (query) => success(await invoke("users-export", { token, query }), 200));
}

describe("GET /users/profile/export", () => {
  it("names the owner's product among the linked sign-ins", async () => {
    const ada = await aMember("Ada");
    await identities.link({ issuer: SSO_ISSUER, subject: "ada" }, ada);
    const [page] = await dataOf(ada);
    expect(page.account.identities).toMatchObject([{ issuer: "sso" }]);
  });

  it("returns the account and all that it wrote, voted for and chose, over all pages", async () => {
    const ada = await aUser("moderator", "Ada");
    await identities.link({ issuer: "https://id.example", subject: "ada" }, ada);
    await aKey(ada);
    const other = await aPost(await aMember("Grace"));
    for (let n = 0; n < 30; n++) await aVote((await aPost(ada)).postId, ada);
    await aComment(other.postId, ada);
    await aComment(other.postId, ada, { isInternal: true });
    success(await portal.follow(other, ada), 200);
    const pages = await dataOf(ada);
    expect(pages.length).toBeGreaterThan(2);
    expect(pages[0].account).toMatchObject({
      email: ada.email,
      role: "moderator",
      identities: [{ issuer: "https://id.example" }],
      keys: [{ name: expect.any(String) }],
      mails: { status: true, newPosts: false, digest: false },
    });
    expect(pages.slice(1).every(({ account }) => account === null)).toBe(true);
    const all = (name: string) => pages.flatMap((page) => page[name]);
    expect(all("posts")).toHaveLength(30);
    expect(new Set(all("votes").map(({ postId }) => postId)).size).toBe(30);
    expect(
      all("comments")
        .map(({ is_internal }) => is_internal)
        .sort(),
    ).toEqual([false, true]);
    expect(all("subscriptions")).toEqual([{ postId: other.postId, isFollowing: true }]);
  });

  it("names nobody else, also where the owner did something for the person", async () => {
    const owner = await aUser("owner", "Olga");
    const ada = await aMember("Ada");
    const post = await aPost(ada);
    await aVote(post.postId, owner);
    const { commentId } = await aComment(post.postId, ada);
    const params = { postId: post.postId, commentId };
    success(await invoke("comments-update", { token: owner.token, params, body: { body: "Corrected" } }), 200);
    const text = JSON.stringify(await dataOf(ada));
    expect(text).toContain("Corrected");
    for (const foreign of [owner.email, owner.userId, owner.username, "Olga"]) expect(text).not.toContain(foreign);
  });

  it("keeps a comment to the team that the team has made a note", async () => {
    const owner = await aUser("owner");
    const ada = await aMember();
    const { postId } = await aPost(ada);
    const { commentId } = await aComment(postId, ada);
    const params = { postId, commentId };
    success(await invoke("comments-update", { token: owner.token, params, body: { is_internal: true } }), 200);
    expect((await dataOf(ada)).flatMap(({ comments }) => comments)).toEqual([]);
  });

  it("does not name the note that a comment replies to", async () => {
    const owner = await aUser("owner");
    const ada = await aMember();
    const { postId } = await aPost(ada);
    const { commentId } = await aComment(postId, owner);
    const reply = { token: ada.token, params: { postId }, body: { body: "I agree", parent_id: commentId } };
    success(await invoke("comments-create", reply), 201);
    const params = { postId, commentId };
    success(await invoke("comments-update", { token: owner.token, params, body: { is_internal: true } }), 200);
    expect(JSON.stringify(await dataOf(ada))).not.toContain(commentId);
  });

  it("needs a session, and a cursor of its own", async () => {
    const ada = await aMember();
    refusal(await invoke("users-export", { token: (await aKey(ada)).text }), "KEY_NOT_ALLOWED");
    const after = Buffer.from(JSON.stringify(["CREDENTIALS"])).toString("base64url");
    refusal(await invoke("users-export", { token: ada.token, query: { after } }), "VALIDATION_ERROR", "query.after");
  });
});
