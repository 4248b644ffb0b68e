import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as erasures from "../../../lib/accounts/erasures.ts";
import * as users from "../../../lib/accounts/users.ts";
import { carryOut } from "../../../lib/cleanup/erasures.ts";
import { sweep } from "../../../lib/cleanup/sweeps.ts";
import * as deciding from "../../../lib/posts/deciding-reports.ts";
import * as reports from "../../../lib/posts/reports.ts";
import { SETTLE_MS } from "../../../lib/table/settling.ts";
import { createdAt, newId } from "../../../lib/values/ids.ts";
import { anId, aTime, atOnce, invoke, type Reply, refusal, success, tally } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound } from "../../support/setup.ts";
import { aWorld, type World } from "../../support/world/examples.ts";
import { aComment, aKey, aMember, aPost, type Person } from "../../support/world/fixtures.ts";
import { aCommentReport, aHeldPost, aReport } from "../../support/world/held.ts";
import { mergeInto } from "../../support/world/merges.ts";

let world: World;
let author: Person;
let reporter: Person;

beforeAll(async () => {
  world = await aWorld();
});

beforeEach(async () => {
  author = await aMember();
  reporter = await aMember();
});

afterEach(expectSound);

type Named = { postId: string; commentId?: string };

function report({ postId, commentId }: Named, by: Pick<Person, "token">, body: object = {}): Promise<Reply> {
  const named = commentId === undefined ? { postId } : { postId, commentId };
  return invoke(commentId === undefined ? "posts-report" : "comments-report", {
    token: by.token,
    params: named,
    body,
  });
}

async function queue(): Promise<{ id: string; entry: string }[]> {
  return success(await invoke("moderation-list", { token: world.moderator.token }), 200).results;
}

async function waiting(id: string) {
  return (await queue()).find((each) => each.id === id);
}

function decide(decision: string, ids: string[], by: Pick<Person, "token"> = world.moderator): Promise<Reply> {
  return portal.decide(decision, ids, by);
}

async function entryOf(id: string): Promise<string> {
  const found = await waiting(id);
  if (!found) throw new Error("does not wait");
  return found.entry;
}

async function outcomesOf(reply: Promise<Reply>): Promise<string[]> {
  return success(await reply, 200).results.map(({ outcome }: { outcome: string }) => outcome);
}

async function aCommented() {
  const { postId } = await aPost(await aMember());
  const { commentId } = await aComment(postId, author, { body: "Buy **this**." });
  return { postId, commentId };
}

async function isThere(postId: string): Promise<boolean> {
  return (await invoke("posts-by-id", { token: world.owner.token, params: { postId } })).status === 200;
}

describe("A report", () => {
  it("stands in the queue, with who made it and why", async () => {
    const post = await aPost(author, { title: "Buy this", contentMarkdown: "**Now**" });
    await aComment(post.postId, author);
    for (const voter of [author, reporter]) success(await portal.vote(post, voter), 201);
    success(await report(post, reporter, { reason: "Advertising." }), 204);
    expect(await waiting(post.postId)).toEqual({
      ...{ id: post.postId, entry: anId, kind: "post", since: aTime, title: "Buy this", text: "**Now**", board: null },
      ...{ createdAt: createdAt(post.postId), votesCount: 2, commentsCount: 1 },
      post: { postId: post.postId, title: "Buy this", slug: post.slug },
      author: expect.objectContaining({ userId: author.userId }),
      reasons: ["reports"],
      reports: {
        count: 1,
        first: [
          {
            author: expect.objectContaining({ userId: reporter.userId }),
            reportedAt: aTime,
            reason: "Advertising.",
          },
        ],
      },
    });
  });

  it("names the post of a comment", async () => {
    const named = await aCommented();
    success(await report(named, reporter, { reason: "  " }), 204);
    expect(await waiting(named.commentId)).toMatchObject({
      ...{ kind: "comment", title: null, text: "Buy **this**.", votesCount: null, commentsCount: null },
      createdAt: createdAt(named.commentId),
      post: { postId: named.postId },
      author: { userId: author.userId },
      reports: { count: 1, first: [{ reason: null }] },
    });
  });

  it.each([
    ["post", async () => aPost(author)],
    ["comment", aCommented],
  ])("counts once for a person: %s", async (_, thing) => {
    const { postId, commentId } = (await thing()) as Named;
    const named = commentId === undefined ? { postId } : { postId, commentId };
    success(await report(named, reporter, { reason: "First" }), 204);
    refusal(await report(named, reporter, { reason: "Again" }), "ALREADY_REPORTED");
    expect(await waiting(commentId ?? postId)).toMatchObject({ reports: { count: 1, first: [{ reason: "First" }] } });
    success(await decide("approve", [commentId ?? postId]), 200);
    refusal(await report(named, reporter), "ALREADY_REPORTED");
  });

  it("cannot be one's own, and needs a member and a thing that is there", async () => {
    const named = await aCommented();
    const post = await aPost(author);
    refusal(await report(named, author), "CANNOT_REPORT_OWN");
    refusal(await report(post, author), "CANNOT_REPORT_OWN");
    refusal(await report(post, world.suspended), "NOT_ENOUGH_PERMISSION");
    refusal(await report({ postId: newId() }, reporter), "POST_NOT_FOUND");
    refusal(await report({ postId: newId(), commentId: named.commentId }, reporter), "POST_NOT_FOUND");
    refusal(await report({ postId: post.postId, commentId: named.commentId }, reporter), "COMMENT_NOT_FOUND");
    refusal(await report({ postId: "x" }, reporter), "POST_NOT_FOUND");
    refusal(await report(post, reporter, { reason: "x".repeat(301) }), "VALIDATION_ERROR");
    success(await report(post, reporter, { reason: "x".repeat(300) }), 204);
  });

  it("does not find notes and held posts", async () => {
    const { postId } = await aPost(author);
    const { commentId } = await aComment(postId, world.moderator, { isInternal: true });
    refusal(await report({ postId, commentId }, reporter), "COMMENT_NOT_FOUND");
    refusal(await report({ postId: (await aHeldPost(author)).id }, reporter), "POST_NOT_FOUND");
  });

  it("needs its scope, by an API key", async () => {
    const { text } = await aKey(world.moderator, ["post:moderate"]);
    refusal(await report(await aPost(author), { token: text }), "NOT_ENOUGH_PERMISSION");
  });

  it("counts for each of many in parallel, and the first five are told", async () => {
    const post = await aPost(author);
    const people = await Promise.all(Array.from({ length: 12 }, () => aMember()));
    const replies = await Promise.all(people.map((each) => report(post, each)));
    expect(replies.map(({ status }) => status)).toEqual(people.map(() => 204));
    const found = (await waiting(post.postId)) as unknown as { reports: { count: number; first: unknown[] } };
    expect(found.reports.count).toBe(12);
    expect(found.reports.first).toHaveLength(5);
  });

  it("is seen by the team only", async () => {
    const post = await aPost(author);
    await aReport(post, reporter, "Advertising.");
    expect(success(await invoke("users-held", { token: author.token }), 200).results).toEqual([]);
    const own = success(await invoke("users-export", { token: reporter.token }), 200);
    expect(own.reports).toEqual([{ id: post.postId, postId: post.postId, reportedAt: aTime, reason: "Advertising." }]);
    expect(success(await invoke("users-export", { token: author.token }), 200).reports).toEqual([]);
  });

  it("loses the name and the words of an account that is erased, and still counts", async () => {
    const post = await aPost(author);
    await aReport(post, reporter, "A word of one's own.");
    await aReport(post, await aMember());
    const account = await users.findWithKeys(reporter.userId);
    await erasures.erase(reporter.userId, account, { by: reporter.userId, votes: "keep" });
    await carryOut(reporter.userId, Date.now() + SETTLE_MS + 1000);
    expect(await waiting(post.postId)).toMatchObject({
      reports: { count: 2, first: [{ author: { userId: anId }, reason: null }] },
    });
    expect(JSON.stringify(await queue())).not.toContain("A word of one's own.");
  });
});

describe("A decision about what was reported", () => {
  it("keeps it: later reports by others bring it back", async () => {
    const post = await aPost(author);
    await aReport(post, reporter);
    expect(await outcomesOf(decide("approve", [post.postId]))).toEqual(["kept"]);
    expect(await waiting(post.postId)).toBeUndefined();
    expect(await isThere(post.postId)).toBe(true);
    success(await report(post, await aMember()), 204);
    expect(await waiting(post.postId)).toMatchObject({ reports: { count: 1 } });
  });

  it("removes a post as its author could", async () => {
    const post = await aPost(author);
    await aReport(post, reporter);
    expect(await outcomesOf(decide("decline", [post.postId]))).toEqual(["removed"]);
    expect(await isThere(post.postId)).toBe(false);
    expect(await waiting(post.postId)).toBeUndefined();
    refusal(await report(post, await aMember()), "POST_NOT_FOUND");
  });

  it("removes a comment, and suspends its author", async () => {
    const named = await aCommented();
    await aCommentReport(named, reporter);
    refusal(await decide("suspend", [named.commentId]), "NOT_ENOUGH_PERMISSION");
    expect(await outcomesOf(decide("suspend", [named.commentId], world.owner))).toEqual(["suspended"]);
    const asked = { token: world.owner.token, params: named };
    refusal(await invoke("comments-by-id", asked), "COMMENT_NOT_FOUND");
    expect((await users.find(author.userId))?.role).toBe("suspended");
  });

  it("counts once, of fifty in parallel", async () => {
    const post = await aPost(author);
    const named = await aCommented();
    await aReport(post, reporter);
    await aCommentReport(named, reporter);
    for (const id of [post.postId, named.commentId]) {
      const replies = await atOnce(50, (n) => decide(n % 2 === 0 ? "approve" : "decline", [id]));
      expect(tally(replies)).toEqual({ 200: 1, "409 ALREADY_DECIDED": 49 });
    }
  });

  it("decides held and reported things in one call", async () => {
    const held = await aHeldPost(author);
    const post = await aPost(author);
    await aReport(post, reporter);
    expect(await outcomesOf(decide("decline", [held.id, post.postId, newId()]))).toEqual([
      "declined",
      "removed",
      "already_decided",
    ]);
  });

  it("needs the scope to delete, by an API key", async () => {
    const post = await aPost(author);
    await aReport(post, reporter);
    const { text } = await aKey(world.moderator, ["post:moderate"]);
    refusal(await decide("decline", [post.postId], { token: text }), "NOT_ENOUGH_PERMISSION");
    expect(await outcomesOf(decide("approve", [post.postId], { token: text }))).toEqual(["kept"]);
  });
});

describe("A decision about what was seen", () => {
  const keepAndReport = async (postId: string) => {
    expect(await outcomesOf(decide("approve", [postId]))).toEqual(["kept"]);
    success(await report({ postId }, await aMember()), 204);
  };

  const expectLeft = async (postId: string) => {
    expect(await isThere(postId)).toBe(true);
    expect(await waiting(postId)).toMatchObject({ reports: { count: 1 } });
  };

  it("leaves a held post that was approved, voted for and reported since", async () => {
    const { id } = await aHeldPost(author);
    const seen = await entryOf(id);
    expect(await outcomesOf(decide("approve", [id]))).toEqual(["approved"]);
    success(await portal.vote({ postId: id }, world.member), 201);
    success(await report({ postId: id }, reporter), 204);
    for (const decision of ["decline", "approve"]) {
      refusal(await portal.decide(decision, [id], world.moderator, [seen]), "ALREADY_DECIDED");
    }
    await expectLeft(id);
    expect(await outcomesOf(portal.decide("decline", [id], world.moderator, [await entryOf(id)]))).toEqual(["removed"]);
  });

  it("leaves what was kept and reported again since, beside others that it decides", async () => {
    const { postId } = await aPost(author);
    const held = await aHeldPost(author);
    for (const person of [reporter, await aMember()]) await aReport({ postId }, person);
    const seen = [await entryOf(postId), await entryOf(held.id)];
    await keepAndReport(postId);
    const reply = portal.decide("decline", [postId, held.id], world.moderator, seen);
    expect(await outcomesOf(reply)).toEqual(["already_decided", "declined"]);
    await expectLeft(postId);
  });

  it("counts if further people report the same meanwhile", async () => {
    const { postId } = await aPost(author);
    await aReport({ postId }, reporter);
    const seen = await entryOf(postId);
    success(await report({ postId }, await aMember()), 204);
    expect(await outcomesOf(portal.decide("decline", [postId], world.moderator, [seen]))).toEqual(["removed"]);
  });

  it("suspends nobody for what is decided", async () => {
    const { postId } = await aPost(author);
    await aReport({ postId }, reporter);
    const seen = await entryOf(postId);
    await keepAndReport(postId);
    refusal(await portal.decide("suspend", [postId], world.owner, [seen]), "ALREADY_DECIDED");
    expect((await users.find(author.userId))?.role).toBe("member");
    await expectLeft(postId);
  });

  it("ends no reports that are made after it has read the earlier ones", async () => {
    const { postId } = await aPost(author);
    await aReport({ postId }, reporter);
    const asRead = (await reports.find(postId)) as reports.Reported;
    await keepAndReport(postId);
    expect(await deciding.keep(asRead)).toBe("already_decided");
    expect(await deciding.removeReported(asRead, await deciding.thingOf(asRead), world.moderator.userId)).toBe(
      "already_decided",
    );
    await expectLeft(postId);
  });

  it("is the only one, whatever others report and decide in parallel", async () => {
    const { postId } = await aPost(author);
    await aReport({ postId }, reporter);
    const seen = [await entryOf(postId)];
    const people = await Promise.all(Array.from({ length: 6 }, () => aMember()));
    const all = await atOnce(18, (n) => {
      const person = people[Math.floor(n / 3)];
      if (n % 3 === 0 && person) return report({ postId }, person);
      return portal.decide(n % 3 === 1 ? "approve" : "decline", [postId], world.moderator, seen);
    });
    const counted = all.filter(({ status }) => status === 200).map(({ body }) => body.results[0].outcome);
    expect(counted).toHaveLength(1);
    expect(await isThere(postId)).toBe(counted[0] === "kept");
    refusal(await portal.decide("decline", [postId], world.moderator, seen), "ALREADY_DECIDED");
    expect(await isThere(postId)).toBe(counted[0] === "kept");
  });

  it("is about these entries alone", async () => {
    const { id } = await aHeldPost(author);
    const other = await aHeldPost(author);
    const reply = portal.decide("decline", [id, other.id], world.moderator, [other.id]);
    expect(await outcomesOf(reply)).toEqual(["already_decided", "declined"]);
    for (const entries of [[], ["x"], "x", Array.from({ length: 21 }, newId)]) {
      const body = { decision: "decline", ids: [id], entries };
      refusal(await invoke("moderation-decide", { token: world.moderator.token, body }), "VALIDATION_ERROR");
    }
    expect(await outcomesOf(decide("decline", [id]))).toEqual(["declined"]);
  });
});

describe("Reports of something that", () => {
  it("its author deletes end with it", async () => {
    const post = await aPost(author);
    const named = await aCommented();
    const under = await aComment(post.postId, await aMember());
    await aReport(post, reporter);
    await aCommentReport(named, reporter);
    await aCommentReport(under, reporter);
    success(await portal.deletePost(post, author), 204);
    expect(await waiting(post.postId)).toMatchObject({ title: null, text: null, author: null, votesCount: null });
    expect(await outcomesOf(decide("decline", [post.postId]))).toEqual(["gone"]);
    await sweep(post.postId);
    success(await invoke("comments-delete", { token: author.token, params: named }), 204);
    const left = (await queue()).map(({ id }) => id);
    for (const id of [post.postId, named.commentId, under.commentId]) expect(left).not.toContain(id);
  });

  it("was merged are reports of a part of another post", async () => {
    const target = await aPost(author);
    const post = await aPost(author, { title: "The same" });
    const { commentId } = await aComment(post.postId, author);
    await aReport(post, reporter);
    await aCommentReport({ postId: post.postId, commentId }, reporter);
    await mergeInto(post, target.postId);
    expect(await waiting(post.postId)).toMatchObject({ title: "The same", votesCount: null, commentsCount: null });
    expect(await waiting(commentId)).toMatchObject({ post: { postId: target.postId } });
    // A report of the merged post is one of the post in which it continues.
    success(await report(post, await aMember()), 204);
    expect(await waiting(target.postId)).toMatchObject({ reports: { count: 1 } });
    expect(await outcomesOf(decide("decline", [post.postId, commentId, target.postId]))).toEqual([
      "gone",
      "removed",
      "removed",
    ]);
    await sweep(target.postId);
  });

  it("an erased account wrote stay", async () => {
    const post = await aPost(author);
    await aReport(post, reporter);
    const account = await users.findWithKeys(author.userId);
    await erasures.erase(author.userId, account, { by: author.userId, votes: "keep" });
    await carryOut(author.userId, Date.now() + SETTLE_MS + 1000);
    expect(await waiting(post.postId)).toMatchObject({ author: { name: "Deleted user" } });
    expect(await outcomesOf(decide("suspend", [post.postId], world.owner))).toEqual(["removed"]);
  });
});
