import { beforeAll, describe, expect, it } from "vitest";
import * as posts from "../../../lib/posts/posts.ts";
import { invoke, success } from "../../support/http/invoke.ts";
import { costOf, measured, planOf } from "../../support/store/calls.ts";
import { aBoard, aMember, aPost, aUser, type Person } from "../../support/world/fixtures.ts";

let moderator: Person;
let author: Person;

beforeAll(async () => {
  moderator = await aUser("moderator");
  author = await aMember();
});

function setStatus(postId: string, status: string) {
  return invoke("posts-set-status", { token: moderator.token, params: { postId }, body: { status } });
}

async function changes(first = "20") {
  return success(await invoke("posts-status-changes", { query: { first } }), 200).changes;
}

describe("GET /posts/status-changes", () => {
  it("answers the latest changes, the newest first, with their posts as they are now", async () => {
    const one = await aPost(author);
    const other = await aPost(author);
    success(await setStatus(one.postId, "planned"), 200);
    success(await setStatus(other.postId, "planned"), 200);
    success(await setStatus(one.postId, "started"), 200);
    const [latest, second, third] = await changes();
    expect(latest).toMatchObject({ from: { name: "Planned" }, to: { name: "Started" }, post: { postId: one.postId } });
    expect(second).toMatchObject({ from: { name: "Open" }, to: { name: "Planned" }, post: { postId: other.postId } });
    expect(third).toMatchObject({ to: { name: "Planned" }, post: { slug: one.slug, status: { name: "Started" } } });
    expect(latest.createdAt >= second.createdAt).toBe(true);
    expect(await changes("1")).toEqual([latest]);
    await posts.destroy(one);
    expect((await changes()).map(({ post }: { post: { postId: string } }) => post.postId)).toEqual([other.postId]);
  });

  it("names no board that is hidden, and no person", async () => {
    const { boardId } = await aBoard({ display: false });
    const { postId } = await aPost(author, { boardId });
    success(await setStatus(postId, "completed"), 200);
    const [change] = await changes();
    expect(change.post).toMatchObject({ postId, board: null });
    expect(JSON.stringify(change)).not.toContain(moderator.userId);
    expect(JSON.stringify(change)).not.toContain(author.userId);
  });

  it("reads events, catalogue and posts in two steps", async () => {
    const { calls } = await measured(() => invoke("posts-status-changes", { query: {} }));
    expect(planOf(calls)).toMatch(/^Query CATALOGUE \| Query EVENTS ; BatchGetItem \d+ POSTS$/);
    expect(costOf(calls).steps).toBe(2);
  });
});
