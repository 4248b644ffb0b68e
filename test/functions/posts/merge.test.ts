import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { work as sweep } from "../../../functions/background/sweep.ts";
import { scan } from "../../../infra/operator/check-table/check.ts";
import * as erasures from "../../../lib/accounts/erasures.ts";
import * as users from "../../../lib/accounts/users.ts";
import * as erasing from "../../../lib/cleanup/erasures.ts";
import * as merges from "../../../lib/cleanup/merges.ts";
import { payloadOf } from "../../../lib/deliveries/payload.ts";
import * as events from "../../../lib/events/events.ts";
import type { PostRecord } from "../../../lib/posts/posts.ts";
import { range } from "../../../lib/table/ranges.ts";
import { getRange } from "../../../lib/table/reads.ts";
import { invoke, type Reply, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound } from "../../support/setup.ts";
import { costOf, measured, recordCalls } from "../../support/store/calls.ts";
import { type Attempt, overtaken } from "../../support/store/faults.ts";
import {
  aBoard,
  aComment,
  aMember,
  aPost,
  aUser,
  aVote,
  type Person,
  strangersVote,
} from "../../support/world/fixtures.ts";
import { mergeInto, moveAll, takeOut } from "../../support/world/merges.ts";
import { tracesOf } from "../../support/world/traces.ts";

let moderator: Person;
let member: Person;
let duplicate: PostRecord;
let target: PostRecord;

beforeAll(async () => {
  moderator = await aUser("moderator");
  member = await aMember();
});

beforeEach(async () => {
  duplicate = await aPost(member, { title: "Dark mode, please" });
  target = await aPost(member, { title: "A dark mode" });
});

afterEach(expectSound);

function merge(into = target, by = moderator) {
  return invoke("posts-merge", {
    token: by.token,
    params: { postId: duplicate.postId },
    body: { into: into.postId },
  });
}

function unmerge({ postId } = duplicate) {
  return invoke("posts-unmerge", { token: moderator.token, params: { postId } });
}

async function merged({ postId } = target) {
  return success(await invoke("posts-merged", { token: moderator.token, params: { postId } }), 200);
}

/** The kind of a conflict, and its words. */
function conflictIn(reply: Reply): [kind: string, words: string] {
  refusal(reply, "MERGE_CONFLICT");
  return [reply.body.conflict, reply.body.message];
}

async function voterIds(post: PostRecord): Promise<string[]> {
  const { results } = await portal.votes(post);
  return results.map(({ user }: { user: { userId: string } }) => user.userId).sort();
}

describe("POST /posts/{postId}/merge", () => {
  it("answers the other post, to which the votes move; the merged one leaves the lists", async () => {
    await strangersVote(duplicate.postId, 3);
    await aVote(duplicate.postId, member);
    await aVote(target.postId, member);
    const { post, merged: answered } = success(await merge(), 200);
    expect(post.postId).toBe(target.postId);
    expect(answered).toMatchObject({ postId: duplicate.postId, title: duplicate.title, votes: "moving" });
    expect(await portal.ids()).not.toContain(duplicate.postId);
    expect(await merged()).toMatchObject({ votes: "moving", merged: [{ postId: duplicate.postId, votes: "moving" }] });
    await moveAll(duplicate.postId);
    expect(await merged()).toMatchObject({ votes: "moved", merged: [{ postId: duplicate.postId, votes: "moved" }] });
    expect((await voterIds(target)).length).toBe(4);
    // A repetition, as after a lost answer.
    expect(success(await merge(), 200).merged.votes).toBe("moved");
  });

  it("writes ten units for each vote that moves", async () => {
    await strangersVote(duplicate.postId, 15);
    success(await merge(), 200);
    const { calls } = await measured(() => recordCalls(() => moveAll(duplicate.postId)));
    // Fifteen votes of ten units, the voters item, and the end of the move with three items.
    expect(costOf(calls).writeUnits).toBe(158);
  });

  it("refuses one and the same post, a post that was merged, posts whose votes move, and a sixth hop", async () => {
    const other = await aPost(member);
    const problem = async (into: PostRecord) => conflictIn(await merge(into));
    expect(await problem(duplicate)).toEqual(["same_post", expect.stringContaining("itself")]);
    await mergeInto(other, target.postId, { waits: true });
    expect(await problem(target)).toEqual(["being_moved", expect.stringContaining("being moved")]);
    await moveAll(other.postId);
    expect(await problem(other)).toEqual(["merged_itself", expect.stringContaining(target.postId)]);
    let last = target;
    for (let hop = 2; hop <= 5; hop++) {
      const next = await aPost(member);
      await mergeInto(last, next.postId);
      last = next;
    }
    const sixth = { ...duplicate };
    duplicate = last;
    expect(await problem(sixth)).toEqual(["chain_too_long", expect.stringContaining("5 merges")]);
    const { post } = success(await portal.open(other.slug), 200);
    expect(post.postId).toBe(last.postId);
  });

  it("names the last post where it is repeated after the other one was merged too", async () => {
    const last = await aPost(member);
    await mergeInto(duplicate, target.postId);
    await mergeInto(target, last.postId);
    expect(conflictIn(await merge())).toEqual(["merged_itself", expect.stringContaining(last.postId)]);
  });

  it("is listed once, page by page, from the post that it was merged into", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      const { postId, ...post } = await aPost(member);
      await mergeInto({ postId, ...post }, target.postId);
      ids.push(postId);
    }
    const found: string[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const query = { first: "2", ...(after && { after }) };
      const request = { token: moderator.token, params: { postId: target.postId }, query };
      const { merged, page_info } = success(await invoke("posts-merged", request), 200);
      expect(page_info.has_next_page).toBe(page_info.end_cursor !== null);
      found.push(...merged.map(({ postId }: { postId: string }) => postId));
      after = page_info.end_cursor;
    }
    expect(found).toEqual(ids.toSorted());
  });

  it("refuses members, and posts that are not there", async () => {
    refusal(await merge(target, member), "NOT_ENOUGH_PERMISSION");
    refusal(await merge({ ...target, postId: member.userId }), "POST_NOT_FOUND");
    duplicate = { ...duplicate, postId: member.userId };
    refusal(await merge(), "POST_NOT_FOUND");
  });
});

describe("The id and the slug of a merged post", () => {
  it("lead to the other post, with what they are from", async () => {
    await mergeInto(duplicate, target.postId);
    const { postId, title, slug } = duplicate;
    const from = { postId, title, slug, votes: "moved" };
    expect(success(await portal.open(duplicate.slug), 200).post).toMatchObject({
      postId: target.postId,
      mergedFrom: from,
    });
    const byId = success(await invoke("posts-by-id", { params: { postId: duplicate.postId } }), 200);
    expect(byId.post).toMatchObject({ postId: target.postId, mergedFrom: from });
    expect(success(await portal.open(target.slug), 200).post).not.toHaveProperty("mergedFrom");
    refusal(await portal.open(duplicate.slug.replace("dark", "bright")), "POST_NOT_FOUND");
  });

  it("take votes, comments and choices for the other post, at the usual steps elsewhere", async () => {
    await mergeInto(duplicate, target.postId);
    const { voters } = success(await portal.vote(duplicate, member), 201);
    expect(voters.viewerVote.postId).toBe(target.postId);
    refusal(await portal.vote(duplicate, member), "VOTE_EXISTS");
    success(await portal.comment(duplicate, { body: "Me too" }, member), 201);
    success(await portal.follow(duplicate, member, false), 200);
    expect(await portal.isFollowing(target, member)).toBe(false);
    expect((await portal.shownPost(target)).commentsCount).toBe(1);
    expect(success(await portal.unvote(duplicate, member), 200).voters.votesCount).toBe(0);
  });

  it("take back a vote that returns while it is looked for in the other post", async () => {
    await aVote(duplicate.postId, member);
    await strangersVote(target.postId, 8);
    await mergeInto(duplicate, target.postId);
    // The look at the votes of the other post.
    const isSecondLook = ({ input }: Attempt) => JSON.stringify(input).includes(`${target.postId}#VOTERS`);
    const { slow } = await overtaken(
      () => portal.unvote(duplicate, member),
      () => takeOut(duplicate),
      isSecondLook,
    );
    success(slow, 200);
    expect(await voterIds(duplicate)).toEqual([]);
  });

  it.each([
    ["votes-add", 201, {}],
    ["votes-remove", 200, {}],
    ["votes-assign", 200, {}],
    ["comments-create", 201, { body: "Me too" }],
    ["posts-follow", 200, { isFollowing: true }],
    ["posts-report", 204, {}],
  ] as const)("lead back to it if it is taken out while it is looked for: %s", async (name, status, body) => {
    const { token, userId } = await aUser("owner");
    const { postId } = duplicate;
    await mergeInto(duplicate, target.postId);
    const isLook = ({ input }: Attempt) => JSON.stringify(input).includes(`MERGED#${postId}`);
    const byBody = name === "votes-add" || name === "votes-remove";
    const request = byBody ? { body: { postId } } : { params: { postId, userId }, body };
    const { slow } = await overtaken(
      () => invoke(name, { token, ...request }),
      () => takeOut(duplicate),
      isLook,
    );
    success(slow, status);
  });

  it("tell nobody of a post on a hidden board", async () => {
    const { boardId } = await aBoard({ display: false });
    const hidden = await aPost(member, { boardId, title: "Secret plan" });
    await mergeInto(duplicate, hidden.postId);
    refusal(await portal.open(duplicate.slug), "POST_NOT_FOUND");
    refusal(await portal.vote(duplicate, member), "POST_NOT_FOUND");
    refusal(await portal.comment(duplicate, { body: "Me too" }, member), "POST_NOT_FOUND");
    expect(success(await portal.open(duplicate.slug, moderator), 200).post.postId).toBe(hidden.postId);
    const hiddenOne = await aPost(member, { boardId, title: "Secret wish" });
    await mergeInto(hiddenOne, target.postId);
    const { post } = success(await portal.open(hiddenOne.slug), 200);
    expect(post.postId).toBe(target.postId);
    expect(JSON.stringify(post)).not.toContain("ecret");
    expect(success(await portal.open(hiddenOne.slug, moderator), 200).post.mergedFrom.title).toBe("Secret wish");
    const [event] = (await events.first({}, 500)).items.filter(({ type }) => type === "post.merged").slice(-1);
    expect(event).toMatchObject({ postId: hiddenOne.postId, into: target.postId });
    expect(event && (await payloadOf(event))).toBeUndefined();
  });
});

describe("Comments of a merged post", () => {
  it("move with their notes and replies, and come back as they are then", async () => {
    const first = await aComment(duplicate.postId, member, { body: "First" });
    await aComment(duplicate.postId, member, { parentId: first.commentId, body: "Reply" });
    await aComment(duplicate.postId, moderator, { isInternal: true, body: "Note" });
    await mergeInto(duplicate, target.postId);
    await expectSound();
    const bodies = async (post: PostRecord) => {
      const { activity } = await portal.activity(post, moderator, { visibility: "public,internal" });
      return activity.map(({ comment }: { comment: { body: string } }) => comment.body).sort();
    };
    expect(await bodies(target)).toEqual(["First", "Note", "Reply"]);
    const { activity: moved } = await portal.activity(target);
    for (const { comment } of moved) expect(comment.from).toBe(duplicate.postId);
    const edited = { token: member.token, params: { postId: target.postId, commentId: first.commentId } };
    success(await invoke("comments-update", { ...edited, body: { body: "First, again" } }), 200);
    success(await portal.comment(target, { body: "On the other post" }, member), 201);
    success(await unmerge(), 200);
    await moveAll(duplicate.postId);
    expect(await bodies(duplicate)).toEqual(["First, again", "Note", "Reply"]);
    const { activity: returned } = await portal.activity(duplicate);
    for (const { comment } of returned) expect(comment).not.toHaveProperty("from");
    expect(await bodies(target)).toEqual(["On the other post"]);
  });
});

describe("What was asked for by the id of a merged post", () => {
  it("is read from the post in which it continues", async () => {
    const { commentId } = await aComment(duplicate.postId, member, { body: "First" });
    await aVote(duplicate.postId, member);
    await mergeInto(duplicate, target.postId);
    const comment = { params: { postId: duplicate.postId, commentId } };
    const { activity } = success(await invoke("comments-by-id", comment), 200);
    expect(activity.comment).toMatchObject({ body: "First", from: duplicate.postId });
    expect(await portal.activity(duplicate)).toEqual(await portal.activity(target));
    expect(await portal.votes(duplicate)).toEqual(await portal.votes(target));
    await portal.follow(duplicate, moderator);
    expect(await portal.isFollowing(duplicate, moderator)).toBe(true);
    expect(await portal.isFollowing(target, moderator)).toBe(true);
  });

  it("changes and deletes comments there", async () => {
    const { commentId } = await aComment(duplicate.postId, member, { body: "First" });
    await mergeInto(duplicate, target.postId);
    const own = { token: member.token, params: { postId: duplicate.postId, commentId } };
    success(await invoke("comments-update", { ...own, body: { body: "First, again" } }), 200);
    expect((await portal.activity(target)).activity[0].comment.body).toBe("First, again");
    success(await invoke("comments-delete", own), 204);
    expect((await portal.activity(target)).activity).toEqual([]);
  });

  it("is not there for who does not see the board of the other post", async () => {
    const { boardId } = await aBoard({ display: false });
    const hidden = await aPost(member, { boardId });
    const { commentId } = await aComment(duplicate.postId, member);
    await mergeInto(duplicate, hidden.postId);
    const params = { postId: duplicate.postId, commentId };
    for (const name of ["comments-list", "comments-by-id", "posts-votes", "posts-subscription", "comments-delete"]) {
      refusal(await invoke(name, { token: member.token, params }), "POST_NOT_FOUND");
    }
    success(await invoke("comments-by-id", { token: moderator.token, params }), 200);
  });
});

describe("The lock of a merged post", () => {
  const say = (post: PostRecord) => portal.comment(post, { body: "Me too" }, member);
  const setLock = async (post: PostRecord, isLocked: boolean) =>
    success(await portal.changePost(post, { isLocked }, moderator), 200);

  it("comes back with the post, and does not count until then", async () => {
    await setLock(duplicate, true);
    await mergeInto(duplicate, target.postId);
    success(await say(duplicate), 201);
    await setLock(target, true);
    refusal(await say(duplicate), "POST_LOCKED");
    await takeOut(duplicate);
    await setLock(target, false);
    refusal(await say(duplicate), "POST_LOCKED");
    success(await say(target), 201);
  });
});

describe("DELETE /posts/{postId}/merge", () => {
  it("gives the post back with its choices, and changes nothing where nothing was merged", async () => {
    await portal.follow(duplicate, moderator);
    await mergeInto(duplicate, target.postId);
    expect(await portal.isFollowing(target, moderator)).toBe(true);
    const answered = success(await unmerge(), 200);
    expect(answered).toMatchObject({ post: { postId: duplicate.postId, title: duplicate.title }, votes: "moving" });
    await moveAll(duplicate.postId);
    expect(success(await unmerge(), 200).votes).toBe("moved");
    expect(await portal.isFollowing(target, moderator)).toBe(false);
    expect(await portal.isFollowing(duplicate, moderator)).toBe(true);
    expect(await portal.ids()).toContain(duplicate.postId);
    refusal(await unmerge({ ...duplicate, postId: member.userId }), "POST_NOT_FOUND");
  });

  it("refuses while votes move, and within a chain", async () => {
    await mergeInto(duplicate, target.postId, { waits: true });
    refusal(await unmerge(), "MERGE_CONFLICT");
    await moveAll(duplicate.postId);
    const last = await aPost(member);
    await mergeInto(target, last.postId);
    expect(conflictIn(await unmerge())).toEqual(["merged_itself", expect.stringContaining(last.postId)]);
  });

  it("leaves out a board that was deleted meanwhile, and a status that was", async () => {
    const board = await aBoard();
    duplicate = await aPost(member, { boardId: board.boardId, status: "s" });
    await mergeInto(duplicate, target.postId);
    success(
      await invoke("boards-delete", { token: (await aUser("owner")).token, body: { boardId: board.boardId } }),
      204,
    );
    const { post } = success(await unmerge(), 200);
    expect(post).toMatchObject({ board: null, status: { id: "open" } });
    await moveAll(duplicate.postId);
  });
});

describe("A deleted post", () => {
  it("takes along what was merged into it, also in the middle of a move", async () => {
    for (const waits of [false, true]) {
      const last = await aPost(member);
      duplicate = await aPost(member);
      await strangersVote(duplicate.postId, 2);
      await aComment(duplicate.postId, member);
      await portal.follow(duplicate, member);
      const middle = await aPost(member);
      await mergeInto(duplicate, middle.postId);
      await aVote(middle.postId, member);
      await mergeInto(middle, last.postId, { waits });
      success(await portal.deletePost(last, moderator), 204);
      await expectSound();
      if (waits) await moveAll(middle.postId);
      await sweep.carryOut(last.postId, () => false);
      for (const { postId } of [duplicate, middle, last]) {
        const left = (await scan()).filter(
          ({ pk, sk }) => !/^(EVENTS|NEWS)$/.test(pk) && `${pk} ${sk}`.includes(postId),
        );
        expect(left).toEqual([]);
      }
      refusal(await portal.open(duplicate.slug), "POST_NOT_FOUND");
    }
  });

  it("ends the move of those who follow a post that is merged into it", async () => {
    await portal.follow(duplicate, moderator);
    await mergeInto(duplicate, target.postId, { waits: true });
    success(await portal.deletePost(target, moderator), 204);
    await moveAll(duplicate.postId);
    await sweep.carryOut(target.postId, () => false);
    refusal(await portal.open(duplicate.slug), "POST_NOT_FOUND");
  });

  it("ends the move of those who follow a post that is taken out of it", async () => {
    await portal.follow(duplicate, moderator);
    await mergeInto(duplicate, target.postId);
    await takeOut(duplicate, { waits: true });
    success(await portal.deletePost(target, moderator), 204);
    await moveAll(duplicate.postId);
    expect(success(await unmerge(), 200).votes).toBe("moved");
    expect(await portal.isFollowing(duplicate, moderator)).toBe(true);
  });
});

async function erase(person: Person, votes: "keep" | "withdraw"): Promise<void> {
  const account = await users.findWithKeys(person.userId);
  await erasures.erase(person.userId, account, { by: person.userId, votes });
  expect(await erasing.carryOut(person.userId)).toHaveProperty("notBefore");
}

describe("An account that is erased while its votes and comments move", () => {
  it.each(["keep", "withdraw"] as const)("leaves no trace, with the votes: %s", async (votes) => {
    const gone = await aMember("Ada Lovelace");
    const both = await aPost(gone, { title: "Of the one who goes" });
    await aVote(both.postId, gone);
    await aComment(both.postId, gone);
    await strangersVote(both.postId, 1);
    await mergeInto(both, target.postId, { waits: true });
    await erase(gone, votes);
    expect(await erasing.carryOut(gone.userId, portal.settled())).toBe("done");
    await moveAll(both.postId);
    expect((await voterIds(target)).length).toBe(votes === "keep" ? 2 : 1);
    expect(await tracesOf([{ userId: gone.userId, texts: [gone.name, gone.email] }])).toEqual([]);
    success(await unmerge(both), 200);
    await moveAll(both.postId);
    expect((await voterIds(both)).length).toBe(votes === "keep" ? 2 : 1);
  });

  it("keeps its vote where it is until the erasure has found it", async () => {
    const gone = await aMember();
    await aVote(duplicate.postId, gone);
    await mergeInto(duplicate, target.postId, { waits: true });
    const account = await users.findWithKeys(gone.userId);
    await erasures.erase(gone.userId, account, { by: gone.userId, votes: "keep" });
    expect(await merges.carryOut(duplicate.postId)).toHaveProperty("notBefore");
    expect(await erasing.carryOut(gone.userId)).toHaveProperty("notBefore");
    expect(await merges.carryOut(duplicate.postId)).toHaveProperty("notBefore");
    expect(await erasing.carryOut(gone.userId, portal.settled())).toBe("done");
    await moveAll(duplicate.postId);
    expect((await voterIds(target)).length).toBe(1);
  });
});

describe("A name that changes while votes move", () => {
  it("is right on every vote", async () => {
    await aVote(duplicate.postId, member);
    await mergeInto(duplicate, target.postId, { waits: true });
    success(await portal.rename("Another name", member), 200);
    await moveAll(duplicate.postId);
    expect((await portal.shownPost(target)).voters.votes[0]?.name).toBe("Another name");
    await portal.finishRenames();
    const [vote] = await getRange(range.votes(target.postId), users.ShownItem);
    expect(vote?.name).toBe("Another name");
  });
});
