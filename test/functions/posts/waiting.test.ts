import { beforeAll, describe, expect, it } from "vitest";
import * as posts from "../../../lib/posts/posts.ts";
import { invoke, refusal, success } from "../../support/http/invoke.ts";
import { costOf, measured, planOf } from "../../support/store/calls.ts";
import { aBoard, aMember, aPost, aUser, type Person } from "../../support/world/fixtures.ts";

let moderator: Person;
let author: Person;

beforeAll(async () => {
  moderator = await aUser("moderator");
  author = await aMember();
});

async function waiting(query: Record<string, string> = {}) {
  const body = success(await invoke("posts-waiting", { token: moderator.token, query }), 200);
  return { ids: body.results.map(({ postId }: { postId: string }) => postId) as string[], ...body.page_info };
}

function setStatus(postId: string, body: object) {
  return invoke("posts-set-status", { token: moderator.token, params: { postId }, body });
}

describe("GET /posts/waiting", () => {
  it("answers open posts without a response, the newest first, also of hidden boards", async () => {
    const { boardId } = await aBoard({ display: false });
    const first = await aPost(author);
    const hidden = await aPost(author, { boardId });
    expect((await waiting()).ids).toEqual([hidden.postId, first.postId]);
    // A response, or another status, is an answer.
    success(await setStatus(hidden.postId, { status: "open", text: "Tell us more." }), 200);
    expect((await waiting()).ids).toEqual([first.postId]);
    success(await setStatus(first.postId, { status: "planned" }), 200);
    expect((await waiting()).ids).toEqual([]);
    success(await setStatus(hidden.postId, { status: "open", text: null }), 200);
    expect((await waiting()).ids).toEqual([hidden.postId]);
    await posts.destroy(hidden);
  });

  it("leaves out what the team has written", async () => {
    const own = await aPost(moderator);
    expect((await waiting()).ids).toEqual([]);
    await posts.destroy(own);
  });

  it("reaches every post by cursor, over pages that answered posts make short, at a bounded cost", async () => {
    const made: string[] = [];
    for (let n = 0; n < 9; n++) {
      const { postId } = await aPost(author);
      if (n === 4 || n === 5) success(await setStatus(postId, { status: "open", text: "Yes." }), 200);
      else made.unshift(postId);
    }
    const { calls } = await measured(() => invoke("posts-waiting", { token: moderator.token, query: { first: "4" } }));
    expect(planOf(calls)).toBe("GetItem USER ; Query CATALOGUE | Query LIST ; BatchGetItem 8 POSTS");
    expect(costOf(calls).steps).toBe(3);
    const seen: string[] = [];
    let page = await waiting({ first: "4" });
    for (; page.has_next_page; page = await waiting({ first: "4", after: page.end_cursor })) seen.push(...page.ids);
    expect([...seen, ...page.ids]).toEqual(made);
  });

  it("refuses members", async () => {
    refusal(await invoke("posts-waiting", { token: author.token }), "NOT_ENOUGH_PERMISSION");
  });
});
