import { beforeAll, describe, expect, it } from "vitest";
import type * as boards from "../../../lib/catalogue/boards.ts";
import type * as roadmaps from "../../../lib/catalogue/roadmaps.ts";
import { derive } from "../../../lib/cleanup/derived-rows.ts";
import type * as posts from "../../../lib/posts/posts.ts";
import { newId } from "../../../lib/values/ids.ts";
import { invoke, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import * as world from "../../support/world/fixtures.ts";
import * as resource from "../../support/world/resources.ts";

let member: world.Person;
let moderator: world.Person;
let board: boards.BoardRecord;
let hidden: boards.BoardRecord;
let roadmap: roadmaps.RoadmapRecord;
let onBoard: posts.PostRecord;
let onHidden: posts.PostRecord;
let planned: posts.PostRecord;

async function aFindablePost(fields: world.PostFields): Promise<posts.PostRecord> {
  const post = await world.aPost(member, fields);
  await derive(post.postId);
  return post;
}

beforeAll(async () => {
  member = await world.aMember();
  moderator = await world.aUser("moderator");
  board = await world.aBoard();
  hidden = await world.aBoard({ display: false });
  roadmap = await world.aRoadmap();
  onBoard = await aFindablePost({ title: "Dark mode", boardId: board.boardId, contentMarkdown: "At night." });
  onHidden = await aFindablePost({ title: "Dark mode for the team", boardId: hidden.boardId });
  planned = await aFindablePost({ title: "Dark colours", roadmapId: roadmap.roadmapId, status: "a" });
});

async function find(body: object, by?: world.Person): Promise<{ postId: string; board: unknown }[]> {
  return success(await invoke("posts-search", { token: by?.token, body }), 200).results;
}

function idsOf(found: { postId: string }[]): string[] {
  return found.map(({ postId }) => postId);
}

describe("POST /posts/similar", () => {
  const ask = async (body: object, by?: world.Person) =>
    success(await invoke("posts-similar", { token: by?.token, body }), 200).posts;

  it("answers what a list of suggestions shows, and no more", async () => {
    await world.aVote(onBoard.postId, world.aStranger());
    const [first] = await ask({ title: "Please add a dark mode!" });
    expect(first).toStrictEqual({
      postId: onBoard.postId,
      title: "Dark mode",
      slug: onBoard.slug,
      votesCount: 1,
      board: resource.board(board),
      roadmap: null,
      status: expect.objectContaining({ id: "open" }),
      viewerVote: null,
    });
  });

  it("shows the caller's own vote, among the first ones and after them", async () => {
    const popular = await aFindablePost({ title: "Walrus tusks" });
    await world.strangersVote(popular.postId, 7);
    const late = resource.viewerVote(popular.postId, await world.aVote(popular.postId, member));
    expect(await ask({ title: "walrus tusks" }, member)).toMatchObject([{ votesCount: 8, viewerVote: late }]);
    const rare = await aFindablePost({ title: "Narwhal horns" });
    const early = resource.viewerVote(rare.postId, await world.aVote(rare.postId, member));
    expect(await ask({ title: "narwhal horns" }, member)).toMatchObject([{ viewerVote: early }]);
    expect(await ask({ title: "narwhal horns" })).toMatchObject([{ viewerVote: null }]);
  });

  it("filters by boards; hidden and unknown boards have no posts", async () => {
    expect(idsOf(await ask({ title: "dark mode", boardId: board.boardId }))).toEqual([onBoard.postId]);
    expect(await ask({ title: "dark mode", boardId: hidden.boardId })).toEqual([]);
    expect(idsOf(await ask({ title: "dark mode", boardId: hidden.boardId }, moderator))).toEqual([onHidden.postId]);
    expect(await ask({ title: "dark mode", boardId: newId() })).toEqual([]);
  });

  it("shows a post of a hidden board without the board, as lists do", async () => {
    const [shown] = await ask({ title: "dark mode for the team" });
    expect(shown).toMatchObject({ postId: onHidden.postId, board: null });
    const [seen] = await ask({ title: "dark mode for the team" }, moderator);
    expect(seen.board).toMatchObject({ boardId: hidden.boardId });
  });

  it("finds nothing for a text without words, and rejects a text without visible characters", async () => {
    expect(await ask({ title: "👍" })).toEqual([]);
    refusal(await invoke("posts-similar", { body: { title: "   " } }), "VALIDATION_ERROR", "body.title");
  });
});

describe("POST /posts/search", () => {
  it("answers posts as lists do: with six votes in their order, the exact count and the caller's vote", async () => {
    const popular = await aFindablePost({ title: "Zebra stripes", boardId: board.boardId });
    const first = (await world.strangersVote(popular.postId, 7)).slice(0, 6);
    const votes = first.map((vote) => resource.vote(popular.postId, vote));
    const viewerVote = resource.viewerVote(popular.postId, await world.aVote(popular.postId, member));
    const [found] = await find({ query: "zebra" }, member);
    expect(found).toMatchObject({ postId: popular.postId, voters: { votes, votesCount: 8, viewerVote } });
    expect((await portal.list({}, member)).find(({ postId }) => postId === popular.postId)).toStrictEqual(found);
  });

  it("filters by boards, roadmap and status", async () => {
    expect(idsOf(await find({ query: "dark" })).sort()).toEqual(idsOf([onBoard, onHidden, planned]).sort());
    expect(idsOf(await find({ query: "dark", boardId: [board.boardId, hidden.boardId] }))).toEqual([onBoard.postId]);
    expect(idsOf(await find({ query: "dark", roadmapId: roadmap.roadmapId }))).toEqual([planned.postId]);
    expect(idsOf(await find({ query: "dark", status: "planned" }))).toEqual([planned.postId]);
    expect(idsOf(await find({ query: "dark", status: "open" })).sort()).toEqual(idsOf([onBoard, onHidden]).sort());
    expect(await find({ query: "dark", status: "nothing" })).toEqual([]);
    expect(await find({ query: "dark", roadmapId: newId() })).toEqual([]);
    expect(await find({ query: "dark", boardId: board.boardId, roadmapId: roadmap.roadmapId })).toEqual([]);
  });

  it("answers more matches page by page, and how many there are", async () => {
    const titles = Array.from({ length: 12 }, (_, n) => `Quokka ${n}`);
    const made = await Promise.all(titles.map((title) => aFindablePost({ title })));
    const ask = async (page?: number) =>
      success(await invoke("posts-search", { body: { query: "quokka", page } }), 200);
    const first = await ask();
    const second = await ask(2);
    expect(first).toMatchObject({ total_count: 12, total_pages: 2 });
    expect(first.results).toHaveLength(10);
    expect(idsOf([...first.results, ...second.results]).sort()).toEqual(idsOf(made).sort());
    expect((await ask(3)).results).toEqual([]);
  });

  it("leaves a post that does not fit into an answer for the next page", async () => {
    const contentMarkdown = "x".repeat(20_000);
    const made = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => aFindablePost({ title: `Wombat ${n}`, contentMarkdown })),
    );
    const { total_pages } = success(await invoke("posts-search", { body: { query: "wombat" } }), 200);
    expect(total_pages).toBeGreaterThan(1);
    const pages = Array.from({ length: total_pages }, (_, at) => find({ query: "wombat", page: at + 1 }));
    expect(idsOf((await Promise.all(pages)).flat()).sort()).toEqual(idsOf(made).sort());
  });

  it("finds the posts of a deleted board without the board", async () => {
    const gone = await world.aBoard();
    const post = await aFindablePost({ title: "Orphaned wish", boardId: gone.boardId });
    const owner = await world.aUser("owner");
    success(await invoke("boards-delete", { token: owner.token, body: { boardId: gone.boardId } }), 204);
    expect(await find({ query: "orphaned" })).toMatchObject([{ postId: post.postId, board: null }]);
    expect(await find({ query: "orphaned", boardId: gone.boardId })).toEqual([]);
  });
});
