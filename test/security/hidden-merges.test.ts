import { beforeAll, describe, expect, it } from "vitest";
import { payloadOf } from "../../lib/deliveries/payload.ts";
import * as events from "../../lib/events/events.ts";
import type * as posts from "../../lib/posts/posts.ts";
import { invoke, type Reply, success } from "../support/http/invoke.ts";
import * as portal from "../support/portal.ts";
import { expectSound } from "../support/setup.ts";
import { aWorld, type World } from "../support/world/examples.ts";
import { aBoard, aComment, aMember, aPost, aVote, type Person } from "../support/world/fixtures.ts";
import { mergeInto, takeOut } from "../support/world/merges.ts";
import { outsidersCells, requestBy, withValues } from "../support/world/outsiders.ts";

// A merge ties a post to another one. Who may not see the board of one of them learns from the other one nothing of it.

const NAME = "Canary 3a9d";
const URL = "board-3a9d";

/** A post that was merged into another one, with a comment that came along. */
type Pair = { duplicate: posts.PostRecord; target: posts.PostRecord; commentId: string };

let world: World;
let boardId: string;
let intoHidden: Pair;
let fromHidden: Pair;

/** Merges a post, which has votes and comments of outsiders, into a post of another person. */
async function aPair(ofDuplicate: posts.PostRecord, target: posts.PostRecord): Promise<Pair> {
  const { member, suspended } = world;
  for (const voter of [member, suspended]) await aVote(ofDuplicate.postId, voter);
  const { commentId } = await aComment(ofDuplicate.postId, member);
  await aComment(ofDuplicate.postId, member, { parentId: commentId });
  await aComment(target.postId, target.author);
  await mergeInto(ofDuplicate, target.postId);
  return { duplicate: ofDuplicate, target, commentId };
}

beforeAll(async () => {
  world = await aWorld();
  ({ boardId } = await aBoard({ name: NAME, url: URL, display: false }));
  const open = { boardId: world.board.boardId };
  const stranger = await aMember();
  intoHidden = await aPair(
    await aPost(world.member, open),
    await aPost(stranger, { boardId, title: `${NAME}, continued` }),
  );
  fromHidden = await aPair(
    await aPost(world.author, { boardId, title: `${NAME}, merged` }),
    await aPost(stranger, open),
  );
});

// Signing in costs hashes, and answers an account alone. Deleting would end the test.
const cells = outsidersCells.filter(({ name }) => !name.startsWith("auth-") && !/-delete$/.test(name));

type Cell = (typeof cells)[number];

/** What an outsider reads who names a post and its comment, also in a list from its beginning. */
async function answers({ endpoint, caller }: Cell, { postId, slug }: posts.PostRecord, commentId: string) {
  const named = { id: postId, postId, slug, commentId, parent_id: commentId };
  const request = withValues(await requestBy(world, endpoint, caller), named);
  const { query: _, ...fromBeginning } = request;
  const replies = [await invoke(endpoint, request), await invoke(endpoint, fromBeginning)];
  return JSON.stringify(replies.map(({ body }: Reply) => body));
}

function saysNothing(text: string, ...secrets: string[]): void {
  for (const secret of [...secrets, boardId, URL]) expect(text).not.toContain(secret);
}

describe("A merge into a post on a hidden board", () => {
  it("leads the team to that post", async () => {
    const { postId } = intoHidden.target;
    expect(await portal.shownPost(intoHidden.duplicate, world.moderator)).toMatchObject({
      postId,
      board: { name: NAME },
    });
  });

  // A post on a hidden board is in lists like any other: a vote that came to it stands among the voter's own.
  const ownVotes = ["users-votes", "users-follows", "users-export"];

  it.each(cells.filter(({ name }) => !ownVotes.includes(name)))("leads $caller nowhere by $name", async (cell) => {
    const { duplicate, target, commentId } = intoHidden;
    const { postId, title, slug } = target;
    saysNothing(await answers(cell, duplicate, commentId), postId, title, slug);
  });
});

describe("A merge of a post from a hidden board", () => {
  it("is told to the team, with the comments that came along", async () => {
    const { duplicate, target } = fromHidden;
    const { postId, title, slug } = duplicate;
    expect(await portal.shownPost(duplicate, world.moderator)).toMatchObject({ mergedFrom: { postId, title, slug } });
    expect(JSON.stringify(await portal.activity(target, world.moderator))).toContain(postId);
  });

  it.each(cells)("is not told to $caller by $name", async (cell) => {
    const { duplicate, target, commentId } = fromHidden;
    const { postId, title, slug } = duplicate;
    // One's own data name the post on which one wrote.
    const ids = cell.name === "users-export" ? [] : [postId];
    for (const named of [duplicate, target]) {
      saysNothing(await answers(cell, named, commentId), ...ids, title, slug);
    }
  });

  it("is in no message about a comment that came along", async () => {
    const { duplicate, target, commentId } = fromHidden;
    const params = { postId: target.postId, commentId };
    success(await invoke("comments-update", { token: world.member.token, params, body: { body: "Anew" } }), 200);
    const [event] = (await events.first({}, 500)).items.filter(({ type }) => type === "comment.updated").slice(-1);
    const message = JSON.stringify(event && (await payloadOf(event)));
    expect(message).toContain(commentId);
    saysNothing(message, duplicate.postId);
  });

  it("stays untold through a further merge, until the board is shown", async () => {
    const { duplicate, target, commentId } = fromHidden;
    const next = await aPost(world.author, { boardId: world.board.boardId });
    await mergeInto(target, next.postId);
    const originOf = async (by?: Person) => {
      const { activity } = await portal.activity(next, by);
      return activity.find(({ id }: { id: string }) => id === commentId).comment.from;
    };
    expect(await originOf()).toBeUndefined();
    expect(await originOf(world.moderator)).toBe(duplicate.postId);
    const shown = { boardId, display: true };
    success(await invoke("boards-update", { token: world.owner.token, body: shown }), 200);
    expect(await originOf()).toBe(duplicate.postId);
    await takeOut(target);
    await takeOut(duplicate);
    expect((await portal.activity(duplicate)).activity[0].comment).not.toHaveProperty("from");
    await expectSound();
  });
});
