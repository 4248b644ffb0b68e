import { beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../../functions/index.ts";
import { scan } from "../../../infra/operator/check-table/check.ts";
import type { Endpoint } from "../../../lib/endpoint.ts";
import { type AuditRecord, auditActions, read } from "../../../lib/events/audit.ts";
import * as posts from "../../../lib/posts/posts.ts";
import { newId } from "../../../lib/values/ids.ts";
import { atOnce, endpointNamed, invoke, type Request, refusal, success, tally } from "../../support/http/invoke.ts";
import { logLines } from "../../support/http/logs.ts";
import * as portal from "../../support/portal.ts";
import { isTransaction, overtaken, withFaults } from "../../support/store/faults.ts";
import { aWorld, endpointsWithExample, expectAnswer, goodRequest, type World } from "../../support/world/examples.ts";
import { aBoard, aComment, aKey, aMember, aPost, aRoadmap, aTag, aUser } from "../../support/world/fixtures.ts";
import { aCommentReport, aHeldComment, aHeldPost, aReport } from "../../support/world/held.ts";
import { mergeInto, moveAll } from "../../support/world/merges.ts";

let world: World;
beforeAll(async () => {
  world = await aWorld();
});

/** The records that were written after a moment, the oldest first. */
async function recordsSince(mark: string): Promise<AuditRecord[]> {
  const { records } = await read({}, 500);
  return records.filter(({ recordId }) => recordId > mark).reverse();
}

/** The records that some work leaves. */
async function recordsOf(work: () => Promise<unknown>): Promise<AuditRecord[]> {
  const mark = newId();
  await work();
  return recordsSince(mark);
}

function isRecorded({ definition: { audit } }: Endpoint): boolean {
  return audit !== undefined && audit !== "own affair";
}

// Their examples are of members, who have no role.
const OF_MEMBERS = ["users-end-two-factor", "users-delete-profile"];

const recorded = endpointsWithExample.filter(
  ({ name, endpoint }) => isRecorded(endpoint) && !OF_MEMBERS.includes(name),
);

const ownAffairs = endpointsWithExample.filter(({ endpoint }) => endpoint.definition.audit === "own affair");

/** Makes who sends a request one of the team: of other people nothing has a record. */
async function toTheTeam({ token = "" }: Request): Promise<void> {
  const { user } = success(await portal.profile({ token }), 200);
  if (user.userId === world.owner.userId) return;
  success(await portal.changeRole(user, "moderator", world.owner), 200);
}

describe("The record of a change by the team", () => {
  it.each(recorded)("is one, and names what its log line names: $name", async ({ endpoint }) => {
    const request = await goodRequest(endpoint, world);
    logLines.length = 0;
    const records = await recordsOf(async () => success(await invoke(endpoint, request), endpoint.definition.success));
    expect(records).toHaveLength(1);
    const { recordId: _, itemName: __, values: ___, action, by, role, ...told } = records[0] as AuditRecord;
    expect(action).toBe(endpoint.definition.audit);
    expect(by).toBe(world.owner.userId);
    expect(role).toBe("owner");
    const line = JSON.parse(logLines.find((each) => each.includes('"message":"request"')) ?? "{}");
    const { item, account, to, changed } = line;
    expect(told).toEqual(JSON.parse(JSON.stringify({ item, account, to, changed })));
  });

  it("names the API key that called, and the role of that time", async () => {
    const { owner, author } = world;
    const { record, text } = await aKey(owner);
    const { postId } = await aPost(author);
    const body = { status: "planned" };
    const byKey = { token: text, params: { postId }, body };
    const records = await recordsOf(async () => success(await invoke("posts-set-status", byKey), 200));
    const to = { item: postId, account: author.userId, to: "planned" };
    expect(records).toMatchObject([{ by: owner.userId, role: "owner", key: record.keyId, ...to }]);
  });

  it("tells the status and the response of an answer apart", async () => {
    const { owner, author } = world;
    const { postId } = await aPost(author);
    const answer = (body: object) => () => invoke("posts-set-status", { token: owner.token, params: { postId }, body });
    const changedBy = async (body: object) => (await recordsOf(answer(body))).map(({ changed }) => changed);
    expect(await changedBy({ status: "planned", text: "Soon." })).toEqual([["status", "response.created"]]);
    expect(await changedBy({ status: "planned", text: "Later." })).toEqual([["response.updated"]]);
    expect(await changedBy({ status: "open" })).toEqual([["status"]]);
    expect(await changedBy({ status: "open", text: "" })).toEqual([["response.deleted"]]);
    expect(await changedBy({ status: "open", text: "" })).toEqual([]);
    const { roadmapId } = world.roadmap;
    expect(await changedBy({ status: "planned", roadmapId })).toEqual([["status", "roadmapId"]]);
    expect(await changedBy({ status: "planned", roadmapId: null })).toEqual([["roadmapId"]]);
  });

  it("says what a status, a board, a roadmap and a role were and became, by ids", async () => {
    const { owner, author, board, roadmap } = world;
    const token = (await aKey(owner)).text;
    const { postId } = await aPost(author, { boardId: board.boardId });
    const { boardId } = await aBoard();
    const { roadmapId } = roadmap;
    const valuesOf = async (endpoint: string, request: Request) =>
      (await recordsOf(async () => success(await invoke(endpoint, { token, ...request }), 200)))[0]?.values;
    const change = (body: object) => valuesOf("posts-update", { body: { id: postId, ...body } });
    const onBoards = { field: "boardId", from: board.boardId, to: boardId };
    expect(await change({ title: "Dim", boardId, roadmapId })).toEqual([
      onBoards,
      { field: "roadmapId", to: roadmapId },
    ]);
    expect(await change({ title: "Dark", boardId, roadmapId })).toBeUndefined();
    const answer = (body: object) => valuesOf("posts-set-status", { params: { postId }, body });
    expect(await answer({ status: "planned", roadmapId: null })).toEqual([
      { field: "status", from: "open", to: "planned" },
      { field: "roadmapId", from: roadmapId },
    ]);
    expect(await answer({ status: "planned", text: "Soon." })).toBeUndefined();
    const { userId } = await aMember();
    const request = { token: owner.token, params: { userId }, body: { role: "moderator" } };
    expect(await valuesOf("users-update", request)).toEqual([{ field: "role", from: "member", to: "moderator" }]);
  });

  it("has the values of the change that is made, where another one was faster", async () => {
    const { owner, author, roadmap } = world;
    const post = await aPost(author);
    const other = await aRoadmap();
    const move = { token: owner.token, body: { id: post.postId, roadmapId: roadmap.roadmapId } };
    const slower = async () => success(await invoke("posts-update", move), 200);
    const faster = () => posts.change(post, () => ({ roadmapId: other.roadmapId }));
    const records = await recordsOf(() => overtaken(slower, faster));
    expect(records.map(({ values }) => values)).toEqual([
      [{ field: "roadmapId", from: other.roadmapId, to: roadmap.roadmapId }],
    ]);
  });

  it("takes two write units, also the longest one", async () => {
    const { owner, author, roadmap, board } = world;
    const { text: token } = await aKey(owner);
    const to = { boardId: (await aBoard()).boardId, roadmapId: (await aRoadmap()).roadmapId };
    const { postId: id } = await aPost(author, { boardId: board.boardId, roadmapId: roadmap.roadmapId });
    const fields = { title: "Dim mode", contentMarkdown: "Text", isLocked: true, isPinned: true };
    await recordsOf(async () => success(await invoke("posts-update", { token, body: { id, ...fields, ...to } }), 200));
    const stored = (await scan()).filter(({ pk }) => pk === "AUDIT").map((item) => JSON.stringify(item).length);
    expect(Math.max(...stored)).toBeLessThan(1024);
  });

  it("says which way a switch of a post went", async () => {
    const { owner, author } = world;
    const { postId } = await aPost(author);
    const change = (body: object) => () =>
      invoke("posts-update", { token: owner.token, body: { id: postId, ...body } });
    const changedBy = async (body: object) => (await recordsOf(change(body))).map(({ changed }) => changed);
    expect(await changedBy({ isPinned: true })).toEqual([["pinned"]]);
    expect(await changedBy({ isPinned: false, isLocked: true })).toEqual([["locked", "unpinned"]]);
    expect(await changedBy({ title: "Dim mode", isLocked: false })).toEqual([["title", "unlocked"]]);
  });

  it.each([
    [
      "settings-update",
      { requireTwoFactor: false, magic: true, title: "Wishes" },
      "requireTwoFactor.off magic.on title",
    ],
    ["settings-update-labs", { voteOnBehalf: false }, "voteOnBehalf.off"],
    ["settings-update-moderation", { links: true, posts: "all" }, "links.on posts"],
    ["boards-update", { display: false, view_voters: true }, "display.off view_voters.on"],
    ["roadmaps-update", { display: true, name: "Soon" }, "display.on name"],
    ["providers-update", { enabled: false, staff: true }, "enabled.off staff.on"],
    ["webhooks-update", { status: "disabled" }, "status.off"],
    ["webhooks-update", { status: "active", description: null }, "status.on description"],
    ["sso-update", { staff: true }, "staff.on"],
  ])("says which way a switch went: %s %j", async (name, change, changed) => {
    const endpoint = endpointNamed(name);
    const { body, ...request } = await goodRequest(endpoint, world);
    const { boardId, id } = body as { boardId?: string; id?: string };
    const named = { ...(boardId && { boardId }), ...(id && { id }) };
    const records = await recordsOf(() => invoke(endpoint, { ...request, body: { ...named, ...change } }));
    expect(records.map((record) => record.changed?.toSorted())).toEqual([changed.split(" ").toSorted()]);
  });

  it("tells a note from a comment, also of one that is changed into the other or deleted", async () => {
    const { owner, author } = world;
    const { postId } = await aPost(author);
    const { commentId } = await aComment(postId, author);
    const params = { postId, commentId };
    const send = (name: string, request: object) => invoke(name, { token: owner.token, ...request });
    const records = await recordsOf(async () => {
      await send("comments-create", { params: { postId }, body: { body: "Too dear", is_internal: true } });
      await send("comments-create", { params: { postId }, body: { body: "Soon" } });
      await send("comments-update", { params, body: { is_internal: true } });
      await send("comments-update", { params, body: { is_internal: false } });
      await send("comments-update", { params, body: { is_internal: true } });
      await send("comments-delete", { params });
    });
    expect(records.map(({ to }) => to)).toEqual(["note", undefined, "note", undefined, "note", "note"]);
  });

  it("keeps the last name of a thing that it ends, which the log shows beside earlier records of it", async () => {
    const { owner } = world;
    const { token } = owner;
    const { tagId } = await aTag({ name: "ios" });
    const { record } = await aKey(owner);
    const { boardId, name } = await aBoard();
    const records = await recordsOf(async () => {
      success(await invoke("tags-update", { token, params: { tagId }, body: { tag: { name: "iOS" } } }), 200);
      success(await invoke("tags-delete", { token, params: { tagId } }), 204);
      // A person has named it.
      success(await invoke("keys-delete", { token, params: { keyId: record.keyId } }), 204);
      success(await invoke("boards-delete", { token, body: { boardId } }), 204);
    });
    expect(records.map(({ itemName }) => itemName)).toEqual([undefined, "iOS", undefined, name]);
    const shown = success(await invoke("audit-list", { token, query: { first: "4" } }), 200).records;
    expect(shown.map((each: { itemName: string }) => each.itemName)).toEqual([name, null, "iOS", "iOS"]);
    expect(logLines.join()).not.toContain("iOS");
  });

  it("says which status was moved, and before which one", async () => {
    const { token } = world.owner;
    const { statuses } = success(await invoke("statuses-list", { token }), 200);
    const [open, planned, ...others] = statuses;
    const replace = (list: object[]) => () => invoke("statuses-replace", { token, body: { statuses: list } });
    const records = await recordsOf(replace([planned, open, ...others]));
    const told = { item: planned.id, to: open.id, changed: ["order"] };
    expect(records).toMatchObject([{ action: "statuses.updated", ...told }]);
    const query = { first: "1" };
    const shown = success(await invoke("audit-list", { token, query }), 200).records;
    expect(shown).toMatchObject([{ itemName: planned.name, toName: open.name }]);
    await replace(statuses)();
  });

  it("names fields, and no value", async () => {
    const { owner } = world;
    const { boardId } = await aBoard();
    const body = { boardId, name: "A secret plan", description: null };
    const [record] = await recordsOf(async () =>
      success(await invoke("boards-update", { token: owner.token, body }), 200),
    );
    expect(record?.changed).toEqual(["name", "description"]);
    expect(JSON.stringify((await scan()).filter(({ pk }) => pk === "AUDIT"))).not.toContain("A secret plan");
  });

  it("stays unwritten if an owner has only seen a first step, and is written with any other setting", async () => {
    const { owner } = world;
    const change = (body: object) => () => invoke("settings-update", { token: owner.token, body });
    expect(await recordsOf(change({ firstSteps: ["share"] }))).toEqual([]);
    const both = await recordsOf(change({ firstSteps: [], title: "Wishes" }));
    expect(both).toMatchObject([{ action: "site.updated", changed: ["title", "firstSteps"] }]);
  });

  it("names a comment with the post that the named one was merged into", async () => {
    const { owner, author } = world;
    const target = await aPost(author);
    const duplicate = await aPost(author);
    await mergeInto(duplicate, target.postId);
    const request = { token: owner.token, params: { postId: duplicate.postId }, body: { body: "Here" } };
    const [record] = await recordsOf(async () => success(await invoke("comments-create", request), 201));
    expect(record?.item?.split("/")[0]).toBe(target.postId);
  });

  it.each(["comments-update", "comments-delete"])(
    "names a comment with the post to which a merge has moved it: %s",
    async (name) => {
      const { owner, author } = world;
      const target = await aPost(author);
      const duplicate = await aPost(author);
      const { commentId } = await aComment(duplicate.postId, author);
      await mergeInto(duplicate, target.postId);
      const params = { postId: duplicate.postId, commentId };
      const [record] = await recordsOf(() => invoke(name, { token: owner.token, params, body: { body: "Here" } }));
      expect(record?.item).toBe(`${target.postId}/${commentId}`);
    },
  );

  it("names the post on which a vote is, for the one that was merged into it", async () => {
    const { owner, author, member } = world;
    const target = await aPost(author);
    const duplicate = await aPost(author);
    await mergeInto(duplicate, target.postId);
    const request = { token: owner.token, params: { postId: duplicate.postId, userId: member.userId } };
    const records = await recordsOf(async () => {
      success(await invoke("votes-assign", request), 200);
      success(await invoke("votes-unassign", request), 204);
    });
    const told = { item: target.postId, account: member.userId };
    expect(records).toMatchObject([told, told]);
  });

  it("names whose post was merged, and taken out again", async () => {
    const { moderator, author } = world;
    const { postId } = await aPost(author);
    const target = await aPost(moderator);
    const request = { token: moderator.token, params: { postId }, body: { into: target.postId } };
    const [merged] = await recordsOf(async () => success(await invoke("posts-merge", request), 200));
    expect(merged).toMatchObject({ action: "post.merged", item: postId, account: author.userId, to: target.postId });
    await moveAll(postId);
    const [parted] = await recordsOf(async () => success(await invoke("posts-unmerge", request), 200));
    expect(parted).toMatchObject({ action: "post.unmerged", item: postId, account: author.userId });
    await moveAll(postId);
  });

  it("comes of each of several held posts that are decided, and of none that was decided before", async () => {
    const { moderator, author } = world;
    const one = await aHeldPost(author);
    const other = await aHeldPost(author);
    const decided = await aHeldPost(author);
    success(await portal.decide("decline", [decided.id], moderator), 200);
    const all = [one.id, decided.id, other.id];
    const records = await recordsOf(async () => success(await portal.decide("approve", all, moderator), 200));
    const told = { action: "held.decided", by: moderator.userId, account: author.userId, to: "approve" };
    const items = records.map(({ item }) => item);
    expect(items.sort()).toEqual([one.id, other.id].sort());
    expect(records).toMatchObject([told, told]);
  });

  it("tells what was reported and kept from what was deleted, and names the post of a comment", async () => {
    const { moderator, author } = world;
    const { postId } = await aPost(author);
    const { commentId } = await aComment(postId, author);
    const reporter = await aMember();
    await aReport({ postId }, reporter);
    await aCommentReport({ postId, commentId }, reporter);
    const held = await aHeldComment(postId, author);
    const decideAll = async () => {
      success(await portal.decide("decline", [commentId, held.id], moderator), 200);
      success(await portal.decide("approve", [postId], moderator), 200);
    };
    expect(await recordsOf(decideAll)).toMatchObject([
      { action: "held.decided", item: `${postId}/${commentId}`, account: author.userId, to: "remove" },
      { action: "held.decided", item: `${postId}/${held.id}`, account: author.userId, to: "decline" },
      { action: "held.decided", item: postId, account: author.userId, to: "keep" },
    ]);
  });

  it("says of what is approved and cannot be created any more that it was declined", async () => {
    const { moderator, author } = world;
    const post = await aPost(author);
    const held = await aHeldComment(post.postId, author);
    await posts.destroy(post);
    const records = await recordsOf(async () => success(await portal.decide("approve", [held.id], moderator), 200));
    expect(records).toMatchObject([{ item: `${post.postId}/${held.id}`, account: author.userId, to: "decline" }]);
  });

  it("says of a merged post, of which only the reports end, that nothing was deleted", async () => {
    const { moderator, author } = world;
    const target = await aPost(author);
    const duplicate = await aPost(author);
    await aReport(duplicate, await aMember());
    await mergeInto(duplicate, target.postId);
    const decide = () => portal.decide("decline", [duplicate.postId], moderator);
    const records = await recordsOf(async () => success(await decide(), 200));
    expect(records).toMatchObject([{ item: duplicate.postId, account: author.userId, to: "keep" }]);
  });

  it("names nobody for what is gone by then, also after another thing that the call decided", async () => {
    const { moderator, author } = world;
    const { postId } = await aPost(author);
    const gone = await aPost(author);
    for (const post of [{ postId }, gone]) await aReport(post, await aMember());
    await posts.destroy(gone);
    const decide = () => portal.decide("approve", [postId, gone.postId], moderator);
    const records = await recordsOf(async () => success(await decide(), 200));
    expect(records.map(({ item, account }) => [item, account])).toEqual([
      [postId, author.userId],
      [gone.postId, undefined],
    ]);
  });

  it("names where a decided comment on a merged post is then", async () => {
    const { moderator, author } = world;
    const target = await aPost(author);
    const duplicate = await aPost(author);
    const { commentId } = await aComment(duplicate.postId, author);
    await aCommentReport({ postId: duplicate.postId, commentId }, await aMember());
    const held = await aHeldComment(duplicate.postId, author);
    await mergeInto(duplicate, target.postId);
    const records = await recordsOf(async () => {
      success(await portal.decide("decline", [commentId], moderator), 200);
      success(await portal.decide("approve", [held.id], moderator), 200);
    });
    expect(records).toMatchObject([
      { item: `${target.postId}/${commentId}`, account: author.userId, to: "remove" },
      { item: `${target.postId}/${held.id}`, account: author.userId, to: "approve" },
    ]);
  });

  it("tells of a suspension in the queue as of any other, and of each named post and all others that end", async () => {
    const { owner } = world;
    const author = await aUser("member");
    const one = await aHeldPost(author);
    const other = await aHeldPost(author);
    await aHeldPost(author);
    const records = await recordsOf(async () =>
      success(await portal.decide("suspend", [one.id, other.id], owner), 200),
    );
    const suspended = { action: "user.role_changed", to: "suspended", item: one.id };
    const declined = { action: "held.decided", to: "decline" };
    const items = [author.userId, one.id, other.id];
    const told = { by: owner.userId, account: author.userId };
    expect(records).toMatchObject(
      [suspended, ...items.map((item) => ({ ...declined, item }))].map((each) => ({ ...each, ...told })),
    );
  });

  it("comes of the deletion of a moderator's own account", async () => {
    const { token, userId } = await aUser("moderator");
    const records = await recordsOf(async () =>
      success(await invoke("users-delete-profile", { token, body: {} }), 202),
    );
    expect(records).toMatchObject([{ action: "user.deleted", by: userId, account: userId, role: "moderator" }]);
  });
});

describe("The name of a change in the log", () => {
  it("belongs to one endpoint alone, unless several make the same change", () => {
    const words = endpoints.flatMap(({ definition }) => (definition.audit ? [definition.audit] : []));
    const used = words.filter((word) => word !== "own affair");
    expect([...new Set(used)].sort()).toEqual([...auditActions].sort());
    const shared = used.filter((word, at) => used.indexOf(word) !== at);
    // By the person and by the owner; three pages of settings.
    expect(shared.sort()).toEqual(["site.updated", "site.updated", "user.deleted", "user.two_factor_removed"]);
  });
});

describe("Own affairs", () => {
  it("hold what these endpoints change, and what no others do", () => {
    const left = endpoints.filter(({ definition }) => definition.audit === "own affair");
    expect(left.map(({ definition }) => definition.name).sort()).toEqual([
      // The own password, session, address, name, and ways to sign in: mails tell the person of them.
      "auth-email-validate",
      "auth-log-out",
      "auth-oidc-link",
      "auth-sso-link",
      // What a person reports, follows, gets by mail, votes for and withdraws, as everybody does.
      "comments-report",
      "posts-follow",
      "posts-report",
      "users-change-email",
      "users-change-password",
      "users-renew-recovery-codes",
      "users-unlink",
      "users-update-notifications",
      "users-update-profile",
      "users-withdraw",
      "votes-add",
      "votes-remove",
    ]);
  });

  it.each(ownAffairs)("leave no record: $name", async ({ name, endpoint }) => {
    // The example that takes a vote back is of the author's vote.
    const people = name === "votes-remove" ? { ...world, author: world.owner } : world;
    const request = await goodRequest(endpoint, people);
    await toTheTeam(request);
    expect(await recordsOf(async () => expectAnswer(endpoint, await invoke(endpoint, request)))).toEqual([]);
  });
});

describe("A call", () => {
  const expectNone = async (work: () => Promise<unknown>): Promise<void> => {
    expect(await recordsOf(work)).toEqual([]);
  };

  it("that comes from a person without a role leaves no record, and costs nothing more", async () => {
    const { member } = world;
    const body = { title: "A wish" };
    await expectNone(async () => {
      const { calls } = await invoke("posts-create", { token: member.token, body });
      expect(JSON.stringify(calls)).not.toContain("AUDIT");
    });
  });

  it("that a check refuses leaves no record", async () => {
    const { owner, moderator } = world;
    const { boardId } = await aBoard({ url: "taken" });
    await expectNone(async () => {
      const named = { token: owner.token, body: { boardId: newId(), name: "New" } };
      refusal(await invoke("boards-update", named), "BOARD_NOT_FOUND");
      const taken = { token: owner.token, body: { boardId: (await aBoard()).boardId, url: "taken" } };
      refusal(await invoke("boards-update", taken), "BOARD_URL_EXISTS");
      const forbidden = { token: moderator.token, body: { boardId } };
      refusal(await invoke("boards-delete", forbidden), "NOT_ENOUGH_PERMISSION");
    });
  });

  it("that changes nothing leaves no record", async () => {
    const { token } = world.owner;
    const { boardId, name } = await aBoard();
    const { userId } = await aMember();
    await expectNone(async () => {
      success(await invoke("boards-update", { token, body: { boardId, name } }), 200);
      success(await invoke("users-update", { token, params: { userId }, body: { role: "member" } }), 200);
    });
  });

  it("that repeats another under an Idempotency-Key leaves no record", async () => {
    const { token } = world.owner;
    const request = { token, body: { name: "Once" }, headers: { "idempotency-key": newId() } };
    const records = await recordsOf(() => atOnce(4, () => invoke("boards-create", request)));
    expect(records).toHaveLength(1);
    await expectNone(async () => success(await invoke("boards-create", request), 201));
  });
});

describe("One record", () => {
  async function aChange(): Promise<{ boardId: string; request: Request }> {
    const { boardId } = await aBoard();
    return { boardId, request: { token: world.owner.token, body: { boardId, name: `Name ${newId()}` } } };
  }

  it("is left by a change that is sent again because its answer was lost", async () => {
    const { boardId, request } = await aChange();
    let isLost = false;
    const lose = (attempt: Parameters<typeof isTransaction>[0]) => {
      if (isLost || !isTransaction(attempt)) return "none" as const;
      isLost = true;
      return "lose the answer" as const;
    };
    const records = await recordsOf(() =>
      withFaults(lose, async () => success(await invoke("boards-update", request), 200)),
    );
    expect(records).toMatchObject([{ action: "board.updated", item: boardId }]);
  });

  it("is left by each of two changes, also by the one that is planned again because the other was faster", async () => {
    const { boardId, request } = await aChange();
    const other = { token: world.owner.token, body: { boardId, color: "123456" } };
    const records = await recordsOf(() =>
      overtaken(
        async () => success(await invoke("boards-update", request), 200),
        async () => success(await invoke("boards-update", other), 200),
      ),
    );
    expect(records.map(({ changed }) => changed).sort()).toEqual([["color"], ["name"]]);
  });

  it("is left where three of the team delete a comment in parallel", async () => {
    const { author, moderator, owner } = world;
    const { postId } = await aPost(author);
    const { commentId } = await aComment(postId, author);
    const callers = [owner, moderator, await aUser("moderator")];
    const records = await recordsOf(async () => {
      const params = { postId, commentId };
      const replies = await Promise.all(callers.map(({ token }) => invoke("comments-delete", { token, params })));
      expect(tally(replies)).toEqual({ 204: 1, "404 COMMENT_NOT_FOUND": 2 });
    });
    expect(records).toMatchObject([{ action: "comment.deleted", item: `${postId}/${commentId}` }]);
  });
});
