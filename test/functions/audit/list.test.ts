import { beforeEach, describe, expect, it } from "vitest";
import type { AuditEntry } from "../../../lib/http/resources.ts";
import { newId } from "../../../lib/values/ids.ts";
import { invoke, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { freshTable } from "../../support/setup.ts";
import { aWorld, type World } from "../../support/world/examples.ts";
import { aComment, aKey, aMember, aPost, aRecord, aUser } from "../../support/world/fixtures.ts";
import { aReport } from "../../support/world/held.ts";
import { aMergedPost } from "../../support/world/merges.ts";

const DAY = 86_400_000;

let world: World;
beforeEach(async () => {
  await freshTable();
  world = await aWorld();
});

async function page(query: Record<string, string> = {}) {
  return success(await invoke("audit-list", { token: world.owner.token, query }), 200);
}

/** The records of all pages. */
async function all(query: Record<string, string> = {}): Promise<AuditEntry[]> {
  const { records, page_info } = await page(query);
  return page_info.has_next_page ? [...records, ...(await all({ ...query, after: page_info.end_cursor }))] : records;
}

async function actionsOf(query: Record<string, string>): Promise<string[]> {
  return (await all(query)).map(({ action }) => action);
}

describe("GET /audit", () => {
  it("lists changes, the newest first, with the names that things have now", async () => {
    const { owner, moderator, author, board, roadmap } = world;
    const { postId } = await aPost(author, { title: "Dark mode" });
    const { commentId } = await aComment(postId, author);
    const { duplicate, target } = await aMergedPost(author);
    const item = postId;
    await aRecord(moderator, { role: "moderator", action: "post.status_changed", item, to: "planned" });
    await aRecord(owner, { action: "comment.deleted", item: `${postId}/${commentId}`, account: author.userId });
    await aRecord(owner, { action: "post.merged", item: duplicate.postId, to: target.postId });
    await aRecord(owner, { action: "board.updated", item: board.boardId, changed: ["name"] });
    await aRecord(owner, { action: "roadmap.deleted", item: roadmap.roadmapId });
    await aRecord({ userId: newId() }, { action: "board.deleted", item: newId() });
    const { records, page_info } = await page();
    expect(page_info).toEqual({ count: 6, has_next_page: false, end_cursor: null });
    expect(records).toMatchObject([
      { action: "board.deleted", byName: null, itemName: null },
      { action: "roadmap.deleted", itemName: roadmap.name },
      { action: "board.updated", itemName: board.name, changed: ["name"] },
      { action: "post.merged", itemName: duplicate.title, toName: target.title },
      { action: "comment.deleted", itemName: "Dark mode", accountName: author.name },
      { action: "post.status_changed", byName: moderator.name, role: "moderator", to: "planned", toName: "Planned" },
    ]);
    expect(records[2]).not.toHaveProperty("account");
  });

  it("names what fields were and became, while that is there", async () => {
    const { owner, roadmap, board } = world;
    const gone = newId();
    const values = [
      { field: "status", from: "open", to: "planned" },
      { field: "boardId", from: board.boardId },
      { field: "roadmapId", from: gone, to: roadmap.roadmapId },
      { field: "role", from: "member", to: "moderator" },
    ];
    await aRecord(owner, { action: "post.updated", item: newId(), values });
    const [record] = await all();
    expect(record?.values).toEqual([
      { field: "status", from: "open", fromName: "Open", to: "planned", toName: "Planned" },
      { field: "boardId", from: board.boardId, fromName: board.name, to: null, toName: null },
      { field: "roadmapId", from: gone, fromName: null, to: roadmap.roadmapId, toName: roadmap.name },
      { field: "role", from: "member", fromName: null, to: "moderator", toName: null },
    ]);
    const { text } = await page({ format: "csv" });
    const cell = `status: Open > Planned; boardId: ${board.name} > ; roadmapId: ${gone} > ${roadmap.name}; role:`;
    expect(text).toContain(cell);
    // A thing that was deleted meanwhile has the name that the record of that has kept.
    await aRecord(owner, { action: "roadmap.deleted", item: gone, itemName: "Later" });
    expect((await all())[1]?.values?.[2]).toMatchObject({ from: gone, fromName: "Later" });
  });

  it("names the posts of decisions in the queue, also of the comments on them", async () => {
    const { owner, author } = world;
    const { postId } = await aPost(author, { title: "Dark mode" });
    const account = author.userId;
    await aRecord(owner, { action: "held.decided", item: postId, account, to: "keep" });
    await aRecord(owner, { action: "held.decided", item: `${postId}/${newId()}`, account, to: "remove" });
    await aRecord(owner, { action: "held.decided", item: newId(), account, to: "decline" });
    const { records } = await page();
    expect(records.map(({ itemName }: AuditEntry) => itemName)).toEqual([null, "Dark mode", "Dark mode"]);
    expect(await actionsOf({ item: postId })).toHaveLength(2);
  });

  it("names API keys until they are deleted", async () => {
    const { owner, moderator } = world;
    const { record } = await aKey(moderator, ["post:moderate"], { name: "CI bot" });
    await aRecord(moderator, { action: "key.created", item: record.keyId });
    const names = async () => (await page({ action: "key" })).records.map(({ itemName }: AuditEntry) => itemName);
    expect(await names()).toEqual(["CI bot"]);
    const ofModerator = { params: { keyId: record.keyId }, query: { userId: moderator.userId } };
    success(await invoke("keys-delete", { token: owner.token, ...ofModerator }), 204);
    expect(await names()).toEqual([null, null]);
  });

  it("names who has no name by the address, to who may read addresses, until the account is erased", async () => {
    const { owner } = world;
    const body = { email: "ida@example.com" };
    const { user } = success(await invoke("users-invite", { token: owner.token, body }), 200);
    const invited = () => page({ action: "user.invited" });
    expect((await invited()).records).toMatchObject([{ account: user.userId, accountName: "ida@example.com" }]);
    const { text: token } = await aKey(owner, ["audit:read"]);
    expect(success(await invoke("audit-list", { token }), 200).records).toMatchObject([{ accountName: "New member" }]);
    success(await invoke("users-delete", { token: owner.token, params: { userId: user.userId } }), 202);
    expect((await invited()).records).toMatchObject([{ account: user.userId, accountName: null }]);
    expect(JSON.stringify((await page()).records)).not.toContain("ida@");
  });

  it("names a deleted status by its last name, also where a later one has its id", async () => {
    await aRecord(world.owner, { action: "status.deleted", item: "planned", itemName: "Some day" });
    expect((await page()).records).toMatchObject([{ item: "planned", itemName: "Some day" }]);
  });

  it.each(["user", "user.role_changed"])("finds a suspension in the queue beside all others: %s", async (action) => {
    const { owner, author } = world;
    const suspendedThere = await aMember();
    const { postId } = await aPost(suspendedThere);
    await aReport({ postId }, author);
    success(await portal.decide("suspend", [postId], owner), 200);
    success(await portal.changeRole(author, "suspended", owner), 200);
    const account = suspendedThere.userId;
    const ofQueue = { action: "user.role_changed", account, to: "suspended", item: postId };
    const { records } = await page({ action });
    expect(records).toMatchObject([{ action: "user.role_changed", account: author.userId, to: "suspended" }, ofQueue]);
    expect((await page({ item: postId, action })).records).toMatchObject([ofQueue]);
    // What was reported first and kept, or another text of the same person, is there still.
    const kept = await aPost(author, { title: "Dark mode" });
    await aRecord(owner, { action: "user.role_changed", account, to: "suspended", item: `${kept.postId}/${newId()}` });
    expect((await page({ item: kept.postId })).records).toMatchObject([{ itemName: "Dark mode" }]);
  });

  it("filters by who changed something, whose it was, what it was, the action and the time", async () => {
    const { owner, moderator, author } = world;
    const { postId } = await aPost(author);
    const other = newId();
    const now = Date.now();
    await aRecord(moderator, { action: "post.updated", item: postId, account: author.userId, at: now - 3 * DAY });
    await aRecord(owner, { action: "comment.created", item: `${postId}/${newId()}`, at: now - 2 * DAY });
    await aRecord(owner, { action: "post.merged", item: other, to: postId, at: now - DAY });
    await aRecord(owner, { action: "statuses.updated", at: now });
    await aRecord(owner, { action: "status.deleted", item: "planned", at: now });
    expect(await actionsOf({ by: moderator.userId })).toEqual(["post.updated"]);
    expect(await actionsOf({ account: author.userId.toUpperCase() })).toEqual(["post.updated"]);
    expect(await actionsOf({ item: postId })).toEqual(["post.merged", "comment.created", "post.updated"]);
    expect(await actionsOf({ action: "post" })).toEqual(["post.merged", "post.updated"]);
    expect(await actionsOf({ action: "status.deleted" })).toEqual(["status.deleted"]);
    expect(await actionsOf({ action: "post.merged", by: owner.userId })).toEqual(["post.merged"]);
    const between = { from: new Date(now - 2 * DAY).toISOString(), to: new Date(now - DAY).toISOString() };
    expect(await actionsOf(between)).toEqual(["post.merged", "comment.created"]);
    expect(await actionsOf({ by: newId() })).toEqual([]);
    expect(await actionsOf({ from: between.to, to: between.from })).toEqual([]);
  });

  it.each(["statuses", "status"])("takes the list of statuses and a deleted one for one kind: %s", async (action) => {
    const { owner } = world;
    await aRecord(owner, { action: "statuses.updated" });
    await aRecord(owner, { action: "status.deleted", item: "planned" });
    await aRecord(owner, { action: "board.deleted", item: newId() });
    expect(await actionsOf({ action })).toEqual(["status.deleted", "statuses.updated"]);
  });

  it.each([{ action: "vote.cast" }, { from: "yesterday" }, { after: "nowhere" }, { format: "xml" }])(
    "refuses a filter that it does not know: %j",
    async (query) => {
      refusal(await invoke("audit-list", { token: world.owner.token, query }), "VALIDATION_ERROR");
    },
  );

  it("continues where a page ends, and comes to records behind many others", async () => {
    const { owner, moderator } = world;
    const { recordId } = await aRecord(moderator, { at: Date.now() - DAY });
    for (let n = 0; n < 520; n += 40) await Promise.all(Array.from({ length: 40 }, () => aRecord(owner)));
    const first = await page({ by: moderator.userId });
    expect(first).toMatchObject({ records: [], page_info: { count: 0, has_next_page: true } });
    expect((await all({ by: moderator.userId })).map((each) => each.recordId)).toEqual([recordId]);
    const ids = (await all({ first: "50" })).map((each) => each.recordId);
    expect(new Set(ids).size).toBe(521);
    expect(ids).toEqual([...ids].sort().reverse());
  });

  it("lists no record that is older than 400 days", async () => {
    const { owner } = world;
    await aRecord(owner, { action: "board.moved", at: Date.now() - 401 * DAY });
    await aRecord(owner, { action: "board.deleted", at: Date.now() - 399 * DAY });
    expect(await actionsOf({})).toEqual(["board.deleted"]);
    expect(await actionsOf({ from: "2020-01-01T00:00:00Z" })).toEqual(["board.deleted"]);
  });

  it("answers as a sheet without formulas, and as lines", async () => {
    const { author, owner } = world;
    const { postId } = await aPost(author, { title: '=HYPERLINK("https://evil.example")' });
    const calling = await aUser("moderator", "+1 Ada");
    await aRecord(owner, { action: "board.updated", item: newId(), changed: ["name", "color"] });
    await aRecord(calling, { role: "moderator", action: "post.updated", item: postId });
    const first = await page({ format: "csv", first: "1" });
    expect(first.records).toEqual([]);
    const second = await page({ format: "csv", first: "1", after: first.page_info.end_cursor });
    const [head, row, next] = `${first.text}${second.text}`.split("\r\n");
    expect(head).toBe(
      "createdAt,action,by,byName,role,key,item,itemName,account,accountName,to,toName,changed,recordId,values",
    );
    expect(row).toContain(`,${calling.userId},'+1 Ada,moderator,,${postId},"'=HYPERLINK(""https://evil.example"")",`);
    expect(next).toContain(",name color,");
    const { text } = await page({ format: "jsonl" });
    const lines = (text as string).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual((await page()).records);
  });
});
