import { beforeAll, describe, expect, it } from "vitest";
import { invoke, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { aBoard, aMember, aPost, aVote, type Person } from "../../support/world/fixtures.ts";

type Page = { results: { postId: string; voters: { viewerVote: unknown }; board: unknown }[]; page_info: PageInfo };
type PageInfo = { has_next_page: boolean; end_cursor: string | null };

async function ask(endpoint: "users-posts" | "users-votes", { token }: Person, query = {}): Promise<Page> {
  return success(await invoke(endpoint, { token, query }), 200) as unknown as Page;
}

const idsOf = ({ results }: Page): string[] => results.map(({ postId }) => postId);

let ada: Person;
let bob: Person;

beforeAll(async () => {
  ada = await aMember();
  bob = await aMember();
});

describe("GET /users/profile/posts", () => {
  it("answers the caller's posts alone, the newest first, page by page", async () => {
    const made: string[] = [];
    for (let n = 0; n < 3; n++) made.unshift((await aPost(ada)).postId);
    await aPost(bob);
    const first = await ask("users-posts", ada, { first: "2" });
    expect(idsOf(first)).toEqual(made.slice(0, 2));
    expect(first.page_info.has_next_page).toBe(true);
    const second = await ask("users-posts", ada, { first: "2", after: first.page_info.end_cursor });
    expect(idsOf(second)).toEqual(made.slice(2));
    expect(second.page_info.has_next_page).toBe(false);
  });

  it("leaves out a deleted post, and the board that is hidden from its author", async () => {
    const cleo = await aMember();
    const { boardId } = await aBoard({ display: false });
    const kept = await aPost(cleo, { boardId });
    const gone = await aPost(cleo);
    await invoke("posts-delete", { token: cleo.token, body: { id: gone.postId } });
    const page = await ask("users-posts", cleo);
    expect(page.results).toMatchObject([{ postId: kept.postId, board: null }]);
  });
});

describe("GET /users/profile/votes", () => {
  it("answers the posts for which the caller votes, until the vote is taken back", async () => {
    const dan = await aMember();
    const { postId } = await aPost(ada);
    await aPost(ada);
    await aVote(postId, dan);
    const page = await ask("users-votes", dan);
    expect(idsOf(page)).toEqual([postId]);
    expect(page.results[0]?.voters.viewerVote).not.toBeNull();
    await portal.unvote({ postId }, dan);
    expect(idsOf(await ask("users-votes", dan))).toEqual([]);
  });
});
