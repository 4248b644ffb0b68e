import { beforeAll, describe, expect, it } from "vitest";
import { scan } from "../../infra/operator/check-table/check.ts";
import type * as boards from "../../lib/catalogue/boards.ts";
import type * as roadmaps from "../../lib/catalogue/roadmaps.ts";
import type * as posts from "../../lib/posts/posts.ts";
import { newId } from "../../lib/values/ids.ts";
import { invoke, type Reply, refusal, success } from "../support/http/invoke.ts";
import * as portal from "../support/portal.ts";
import { aWorld, endpointsWithExample, exampleOf, type World } from "../support/world/examples.ts";
import { aBoard, aComment, aMember, aPost, aRoadmap, aVote } from "../support/world/fixtures.ts";
import { aHeldComment, aHeldPost } from "../support/world/held.ts";
import { outsidersCells, requestBy, withValues } from "../support/world/outsiders.ts";

// A caller who may not see a hidden board or roadmap learns nothing of it from any endpoint, not even by naming it; nor
// which moderator changed a comment.

const NAME = "Canary 7f1c";
const URL = "canary-7f1c";
const COLOR = "ca7a1c";

let world: World;
let board: boards.BoardRecord;
let roadmap: roadmaps.RoadmapRecord;
/** A post of the member's on both. */
let post: posts.PostRecord;

beforeAll(async () => {
  world = await aWorld();
  board = await aBoard({ name: NAME, url: URL, color: COLOR, display: false });
  roadmap = await aRoadmap({ name: NAME, url: URL, color: COLOR, display: false });
  post = await aPost(world.member, { boardId: board.boardId, roadmapId: roadmap.roadmapId });
  await aVote(post.postId, world.member);
  const { commentId } = await aComment(post.postId, world.member);
  const request = { token: world.moderator.token, params: { postId: post.postId, commentId } };
  success(await invoke("comments-update", { ...request, body: { body: "Moderated" } }), 200);
});

function saysNothing(reply: Reply): void {
  const text = JSON.stringify(reply.body ?? null);
  // The moderator changed a comment, and wrote nothing.
  const secrets = [board.boardId, roadmap.roadmapId, NAME, URL, COLOR, world.moderator.userId];
  for (const secret of secrets) expect(text).not.toContain(secret);
}

describe("a hidden board or roadmap", () => {
  it("shows all its marks to the owner", async () => {
    const text = JSON.stringify(await portal.list({}, world.owner));
    for (const secret of [board.boardId, roadmap.roadmapId, NAME, URL, COLOR]) expect(text).toContain(secret);
  });

  it.each(outsidersCells)("stays out of the answers of $name to $caller", async ({ endpoint, caller }) => {
    saysNothing(await invoke(endpoint, await requestBy(world, endpoint, caller)));
    // What an author can do with the post that is on them; its board and roadmap are not named.
    const { body, ...request } = withValues(await requestBy(world, endpoint, caller), {
      id: post.postId,
      postId: post.postId,
      slug: post.slug,
    });
    const { boardId: _, roadmapId: __, ...rest } = (body ?? {}) as Record<string, unknown>;
    // Deleting it would end the test.
    if (endpoint.definition.name === "posts-delete") return;
    saysNothing(await invoke(endpoint, { ...request, ...(body === undefined ? {} : { body: rest }) }));
    saysNothing(await invoke(endpoint, request));
  });

  it.each(outsidersCells)("looks absent to $caller who names it to $name", async ({ endpoint, caller }) => {
    const decided = async (values: Record<string, unknown>) => {
      const { status, body } = await invoke(endpoint, withValues(await requestBy(world, endpoint, caller), values));
      return [status, body?.code];
    };
    const unknown = { boardId: newId(), roadmapId: newId(), url: newId(), name: newId() };
    expect(await decided({ boardId: board.boardId, roadmapId: roadmap.roadmapId, url: URL, name: NAME })).toEqual(
      await decided(unknown),
    );
  });
});

describe("the author of a post on a hidden board and roadmap", () => {
  const change = (fields: object): Promise<Reply> => portal.changePost(post, fields, world.member);

  it("keeps board and roadmap when it sends back the nulls that it read", async () => {
    const { post: read } = success(await change({}), 200);
    expect(read).toMatchObject({ boardId: null, roadmap_id: null });
    success(await change({ title: "Another title", boardId: null, roadmapId: null }), 200);
    expect(await portal.shownPost(post, world.owner)).toMatchObject({
      title: "Another title",
      board: { name: NAME },
      roadmap: { name: NAME },
    });
  });

  it("learns nothing of them by naming them", async () => {
    refusal(await change({ boardId: board.boardId }), "NOT_ENOUGH_PERMISSION");
    refusal(await change({ roadmapId: roadmap.roadmapId }), "NOT_ENOUGH_PERMISSION");
  });
});

/** An item as text. Weights are greater than numbers of JSON. */
function textOf(item: object): string {
  return JSON.stringify(item, (_, value) => (typeof value === "bigint" ? String(value) : value));
}

describe("A held post or comment", () => {
  const CANARY = "Canary 5f2e";
  // The owner sees all that anybody sees, but for what is the caller's own.
  const callers = ["member", "owner"] as const;
  /** Where the team is to see it. */
  const queueEndpoints = ["moderation-list", "exports-file"];
  let ids: string[] = [];
  let commented: posts.PostRecord;

  beforeAll(async () => {
    const stranger = await aMember();
    commented = await aPost(world.author, { boardId: world.board.boardId });
    const heldPost = await aHeldPost(stranger, {
      title: CANARY,
      contentMarkdown: CANARY,
      boardId: world.board.boardId,
    });
    const heldComment = await aHeldComment(commented.postId, stranger, { body: CANARY });
    ids = [heldPost.id, heldComment.id];
  });

  // Signing in costs hashes, and answers an account alone.
  const everywhere = endpointsWithExample.filter(
    ({ name }) => !queueEndpoints.includes(name) && !name.startsWith("auth-"),
  );
  // They answer the title that was sent.
  const takesTitle = ["posts-create", "posts-update"];

  it.each(everywhere)("is in no answer of $name, not even to who names it", async ({ name, endpoint }) => {
    const usual = await exampleOf(endpoint).make(world);
    const [heldPost = "", heldComment = ""] = ids;
    const named = withValues(usual, { id: heldPost, postId: heldPost, slug: heldPost, title: CANARY, query: CANARY });
    const onIt = withValues(usual, { postId: commented.postId, commentId: heldComment, parent_id: heldComment });
    const requests = takesTitle.includes(name) ? [usual, onIt] : [usual, named, onIt];
    for (const request of requests) {
      for (const caller of callers) {
        const { body } = await invoke(endpoint, { token: world[caller].token, ...request });
        const text = JSON.stringify(body ?? null);
        for (const secret of [CANARY, ...ids]) expect(text).not.toContain(secret);
      }
    }
  });

  it("is in no item of the table that another function reads", async () => {
    const found = (await scan()).filter((item) => [CANARY, ...ids].some((text) => textOf(item).includes(text)));
    const families = found.map(({ pk, sk }) => (sk.startsWith("HELD#") ? sk.slice(0, 5) : pk));
    expect([...new Set(families)].sort()).toEqual(["HELD", "HELD#"]);
  });
});
