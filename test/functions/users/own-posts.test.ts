import { beforeAll, describe, expect, it } from "vitest";
import { invoke, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { aBoard, aMember, aPost, aUser, aVote, type Person } from "../../support/world/fixtures.ts";
import { aHeldPost } from "../../support/world/held.ts";
import { mergeInto, takeOut } from "../../support/world/merges.ts";

type Page = { results: { postId: string; voters: { viewerVote: unknown }; board: unknown }[]; page_info: PageInfo };
type PageInfo = { has_next_page: boolean; end_cursor: string | null };

async function ask(
  endpoint: "users-posts" | "users-votes" | "users-follows",
  { token }: Person,
  query = {},
): Promise<Page> {
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

describe("GET /users/profile/follows", () => {
  it("answers what the caller wrote, voted for or chose to follow, each once, the newest posts first", async () => {
    const eve = await aMember();
    const chosen = await aPost(ada);
    const voted = await aPost(ada);
    await aPost(ada);
    const own = await aPost(eve);
    await aVote(own.postId, eve);
    await aVote(voted.postId, eve);
    // The oldest post is followed last.
    for (const post of [own, voted, chosen]) await portal.follow(post, eve);
    expect(idsOf(await ask("users-follows", eve))).toEqual([own.postId, voted.postId, chosen.postId]);
    expect(idsOf(await ask("users-follows", bob))).not.toContain(chosen.postId);
  });

  it("lists page by page, across what the caller stopped following", async () => {
    const fay = await aMember();
    const made: { postId: string }[] = [];
    for (let n = 0; n < 5; n++) made.unshift(await aPost(n % 2 ? fay : ada));
    for (const post of made) await portal.follow(post, fay);
    const ids = made.map(({ postId }) => postId);
    for (const post of made.slice(1, 4)) await portal.leave(post, fay);
    const seen: string[][] = [];
    let after: string | null | undefined;
    do {
      const page = await ask("users-follows", fay, { first: "2", ...(after && { after }) });
      seen.push(idsOf(page));
      after = page.page_info.has_next_page ? page.page_info.end_cursor : undefined;
    } while (after);
    // No post of the second page is followed.
    expect(seen).toEqual([[ids[0]], [], [ids[4]]]);
  });

  it("leaves out the own post, and the post with the caller's vote, that the caller stopped following", async () => {
    const gus = await aMember();
    const own = await aPost(gus);
    const voted = await aPost(ada);
    await aVote(voted.postId, gus);
    for (const post of [own, voted]) await portal.leave(post, gus);
    expect(idsOf(await ask("users-follows", gus))).toEqual([]);
    await portal.follow(voted, gus);
    expect(idsOf(await ask("users-follows", gus))).toEqual([voted.postId]);
  });

  it("says of each post what the post says of itself", async () => {
    const hal = await aMember();
    const posts: { postId: string }[] = [];
    for (const choice of [undefined, true, false])
      for (const tie of ["own", "voted", "none"]) {
        const post = await aPost(tie === "own" ? hal : ada);
        if (tie === "voted") await aVote(post.postId, hal);
        if (choice !== undefined) await portal.follow(post, hal, choice);
        posts.push(post);
      }
    const listed = idsOf(await ask("users-follows", hal));
    for (const post of posts) expect(listed.includes(post.postId)).toBe(await portal.isFollowing(post, hal));
  });

  it("has in the place of a merged post the one in which it continues, until the merge is undone", async () => {
    const ivy = await aMember();
    const duplicate = await aPost(ada);
    const target = await aPost(ada);
    await portal.follow(duplicate, ivy);
    await mergeInto(duplicate, target.postId);
    expect(idsOf(await ask("users-follows", ivy))).toEqual([target.postId]);
    await takeOut(duplicate);
    expect(idsOf(await ask("users-follows", ivy))).toEqual([duplicate.postId]);
  });

  it("has a held post only once it is approved, no deleted one, and hides the board that is hidden", async () => {
    const jan = await aMember();
    const { boardId } = await aBoard({ display: false });
    const hidden = await aPost(ada, { boardId });
    const gone = await aPost(ada);
    for (const post of [hidden, gone]) await portal.follow(post, jan);
    await invoke("posts-delete", { token: ada.token, body: { id: gone.postId } });
    const held = await aHeldPost(jan);
    expect((await ask("users-follows", jan)).results).toMatchObject([{ postId: hidden.postId, board: null }]);
    success(await portal.decide("approve", [held.id], await aUser("moderator")), 200);
    expect(idsOf(await ask("users-follows", jan))).toEqual([held.id, hidden.postId]);
  });
});
