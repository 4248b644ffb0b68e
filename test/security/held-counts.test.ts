import { beforeEach, describe, expect, it } from "vitest";
import { work as count } from "../../functions/background/count.ts";
import type * as boards from "../../lib/catalogue/boards.ts";
import { derive } from "../../lib/cleanup/derived-rows.ts";
import * as counting from "../../lib/figures/counting.ts";
import type { PostRecord } from "../../lib/posts/posts.ts";
import { carryOutAll, invoke, type Request, success } from "../support/http/invoke.ts";
import * as portal from "../support/portal.ts";
import { expectSound, freshTable } from "../support/setup.ts";
import { aWorld, type World } from "../support/world/examples.ts";
import { aComment, aPost, aVote } from "../support/world/fixtures.ts";
import { setPolicy } from "../support/world/held.ts";

// Nothing that counts or finds changes while a post and a comment wait for the team, nor once they are declined.

let world: World;
let board: boards.BoardRecord;
/** A post with a vote and a comment. */
let post: PostRecord;

beforeEach(async () => {
  await freshTable();
  world = await aWorld();
  board = world.board;
  post = await aPost(world.author, { boardId: board.boardId, title: "A dark mode" });
  await aVote(post.postId, world.author);
  await aComment(post.postId, world.member);
  await setPolicy({ posts: "all", comments: "all" });
});

/** Holds a post and a comment, whose author had written before. Returns their ids. */
async function holdBoth(): Promise<[string, string]> {
  const body = { title: "A darker mode", boardId: board.boardId };
  const ofPost = success(await portal.post(body, world.author), 201);
  const ofComment = success(await portal.comment(post, { body: "Darker." }, world.author), 201);
  expect([ofPost.held, ofComment.held]).toEqual([true, true]);
  return [ofPost.post.postId, ofComment.activity.id];
}

async function answer(name: string, request: Request = {}) {
  return success(await invoke(name, request), 200);
}

/** All that counts posts, votes and comments, and all that finds posts by what they are. */
async function counted() {
  await counting.begin();
  expect(await carryOutAll(count)).toBe(true);
  const { postId, slug } = post;
  const { boardId, url } = board;
  const params = { postId };
  const owner = { token: world.owner.token };
  const author = { token: world.author.token };
  const list = (filter: object) => answer("posts-list", { body: { first: 5, ...filter } });
  const { countedAt: _, ...figures } = await answer("stats-show", owner);
  return {
    list: await list({}),
    ofBoard: await list({ boardId: [boardId] }),
    ofStatus: await list({ status: "open" }),
    top: await list({ sort: "top" }),
    trending: await list({ sort: "trending", boardId: [boardId] }),
    boards: await answer("boards-list", owner),
    shownBoards: await answer("boards-browse"),
    board: await answer("boards-by-url", { params: { url } }),
    search: await answer("posts-search", { body: { query: "dark" } }),
    similar: await answer("posts-similar", { body: { title: "A darker mode" } }),
    post: await answer("posts-by-slug", { body: { slug } }),
    comments: await answer("comments-list", { params }),
    ownPosts: await answer("users-posts", author),
    waiting: await answer("posts-waiting", owner),
    figures,
    votes: await answer("posts-votes", { params }),
    ownVotes: await answer("users-votes", author),
    followed: await answer("users-follows", author),
  };
}

describe("A held post and a held comment", () => {
  it("change no count, list or search, also once they are declined", async () => {
    await derive(post.postId);
    const before = await counted();
    expect(before.search).toMatchObject({ total_count: 1 });
    expect(before.similar).toMatchObject({ posts: [{ postId: post.postId }] });
    const ids = await holdBoth();
    expect(await counted()).toEqual(before);
    success(await portal.decide("decline", ids, world.owner), 200);
    expect(await counted()).toEqual(before);
    await expectSound();
  });

  it("count in all of them once they are approved", async () => {
    await derive(post.postId);
    const before = await counted();
    const ids = await holdBoth();
    success(await portal.decide("approve", ids, world.owner), 200);
    await derive(ids[0]);
    const after = await counted();
    const names = Object.keys(before) as (keyof typeof before)[];
    // Nobody has voted for the new post. Its author's own vote stands beside the post.
    const same = names.filter((name) => JSON.stringify(after[name]) === JSON.stringify(before[name]));
    expect(same).toEqual(["votes"]);
  });
});
