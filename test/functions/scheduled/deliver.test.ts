import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { work as announce } from "../../../functions/background/announce.ts";
import { handler as deliver, table } from "../../../functions/scheduled/deliver.ts";
import * as outbox from "../../../lib/accounts/outbox.ts";
import * as statuses from "../../../lib/catalogue/statuses.ts";
import { eventParts } from "../../../lib/events/events.ts";
import type { Delivery } from "../../../lib/http/resources.ts";
import * as posts from "../../../lib/posts/posts.ts";
import { key } from "../../../lib/table/keys.ts";
import { create } from "../../../lib/table/parts.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { newId, timeOf } from "../../../lib/values/ids.ts";
import * as webhooks from "../../../lib/webhooks/webhooks.ts";
import { aTime, carryOutAll, invoke, success, timeInside } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { startLambdaService } from "../../support/process/lambda-service.ts";
import { type Receiver, startReceiver } from "../../support/process/receiver.ts";
import { expectSound, freshTable, newContainer } from "../../support/setup.ts";
import { recordCalls } from "../../support/store/calls.ts";
import { type Attempt, cutAt, throttled, withFaults } from "../../support/store/faults.ts";
import { aBoard, aComment, aMember, aPost, aUser, aWebhook, type Person } from "../../support/world/fixtures.ts";
import { worldTitles } from "../../support/world/texts.ts";

const DAY = 86_400_000;

let owner: Person;
let receiver: Receiver;
let webhook: webhooks.WebhookRecord;
let woken = 0;
let deliverUrl = "";

beforeAll(async () => {
  receiver = await startReceiver();
  deliverUrl = await startLambdaService(async () => woken++);
});

beforeEach(async () => {
  vi.useRealTimers();
  await freshTable();
  newContainer({ WEBHOOK_PRIVATE_TARGETS: "on", DELIVER_URL: deliverUrl });
  woken = 0;
  owner = await aUser("owner");
  await makeWebhook();
  receiver.messages = [];
  answers(204);
});

/** The accounts of a test also have events. */
function takePostsOnly() {
  return webhooks.change(webhook.webhookId, { events: ["post.created"] });
}

async function makeWebhook(fields: Partial<webhooks.WebhookRecord> = {}) {
  const made = await aWebhook(owner, { url: receiver.url, ...fields });
  webhook = made.webhook;
  receiver.secrets = [made.secret];
}

/** The function's call of a minute, under its rights. */
async function minute(): Promise<void> {
  await recordCalls(() => deliver({}), { name: "deliver", table });
}

function later(seconds: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + seconds * 1000 });
}

/** A call of the owner's about the webhook. */
function call(endpoint: string, body?: object) {
  const { webhookId } = webhook;
  return invoke(endpoint, { token: owner.token, params: { webhookId }, ...(body && { body }) });
}

async function enable() {
  return success(await call("webhooks-update", { status: "active" }), 200).webhook;
}

async function listed() {
  return success(await call("webhooks-deliveries"), 200).deliveries;
}

async function health() {
  return success(await invoke("webhooks-list", { token: owner.token }), 200).webhooks[0];
}

function answers(status: number) {
  receiver.answer = (response) => response.writeHead(status).end();
}

/** Makes posts, whose events are announced. Returns their ids. */
async function announced(count = 1, place: { boardId?: string } = {}): Promise<string[]> {
  const author = await aMember();
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push((await aPost(author, place)).postId);
  expect(await carryOutAll(announce)).toBe(true);
  return ids;
}

/** Writes events that the webhook does not want, and that nothing announces. */
async function otherEvents(count: number): Promise<void> {
  const event = () => eventParts({ type: "comment.created", by: owner.userId }).event;
  for (let n = 0; n < count; n += 50) {
    await transact(Object.fromEntries(Array.from({ length: 50 }, (_, part) => [part, event()])));
  }
}

/** The number of mails that tell the owner of disabled webhooks. */
async function ownerMails(): Promise<number> {
  expect(await carryOutAll(announce)).toBe(true);
  const mails = (await outbox.waiting()).filter(({ template }) => template === "webhook-disabled");
  for (const { to } of mails) expect(to).toBe(owner.email);
  return mails.length;
}

function arrived(): string[] {
  return receiver.messages.map(({ message }) => message.type);
}

function ofPosts(ids: string[]) {
  return receiver.messages.filter(({ id }) => ids.includes(id)).map(({ id }) => id);
}

describe("A change", () => {
  it("arrives with the titles and texts that people wrote", async () => {
    await takePostsOnly();
    const author = await aMember();
    for (const { title } of worldTitles) await aPost(author, { title, contentMarkdown: title });
    expect(await carryOutAll(announce)).toBe(true);
    await minute();
    const posts = receiver.messages.map(
      ({ message }) => message.data.post as { title: string; contentMarkdown: string },
    );
    // Ten at a time, in no order.
    const titles = worldTitles.map(({ title }) => title).sort();
    expect(posts.map(({ title }) => title).sort()).toEqual(titles);
    expect(posts.map(({ contentMarkdown }) => contentMarkdown).sort()).toEqual(titles);
  });

  it("arrives signed, once, with what an anonymous reader sees, under the id of its event", async () => {
    const author = await aMember();
    const { post } = success(await portal.post({ title: "Dark mode" }, author), 201);
    expect(await carryOutAll(announce)).toBe(true);
    expect(woken).toBeGreaterThan(0);
    await minute();
    await minute();
    const seen = success(await invoke("posts-by-id", { params: { postId: post.postId } }), 200).post;
    const { slugId: _, view_voters: _voters, ...shown } = seen;
    expect(arrived().sort()).toEqual(["post.created", "user.created", "user.created"]);
    expect(receiver.messages.find(({ id }) => id === post.postId)?.message).toEqual({
      type: "post.created",
      timestamp: timeInside(post.postId),
      data: { postId: post.postId, post: shown },
    });
    expect((await listed())[0]).toEqual({
      eventId: post.postId,
      type: "post.created",
      postId: post.postId,
      status: "delivered",
      attempts: 1,
      attemptedAt: aTime,
      nextAttemptAt: null,
      lastStatus: 204,
      reason: null,
      reasonCode: null,
    });
    expect((await health()).health).toEqual({
      lastStatus: 204,
      lastSuccessAt: aTime,
      failuresInARow: 0,
      firstFailureAt: null,
    });
    await expectSound();
  });

  it("reaches nobody if it is a note or about a post on a hidden board", async () => {
    const { boardId } = await aBoard({ display: false });
    const [hidden = ""] = await announced(1, { boardId });
    const [shown = ""] = await announced();
    await aComment(shown, owner, { isInternal: true });
    const { commentId } = await aComment(shown, owner);
    await aComment(hidden, owner);
    await carryOutAll(announce);
    await minute();
    const told = JSON.stringify(receiver.messages);
    expect(told).toContain(commentId);
    expect(told).not.toContain(hidden);
    expect(arrived().filter((type) => type === "comment.created")).toHaveLength(1);
    expect((await listed()).map(({ status }: Delivery) => status)).not.toContain("waiting");
  });

  it("names only ids once the thing is deleted", async () => {
    const author = await aMember();
    const post = await aPost(author);
    await posts.destroy(post);
    await carryOutAll(announce);
    await minute();
    const ofPost = receiver.messages.filter(({ message }) => message.data.postId === post.postId);
    expect(ofPost.map(({ message }) => message.data)).toEqual([{ postId: post.postId }, { postId: post.postId }]);
  });

  it("goes to each webhook that asks for its type, and to no disabled one", async () => {
    const [first] = await webhooks.all();
    await webhooks.change(first?.webhookId ?? "", { isDisabled: true });
    await makeWebhook({ events: ["comment.created"] });
    const [postId = ""] = await announced();
    await aComment(postId, owner);
    await carryOutAll(announce);
    await minute();
    expect(arrived()).toEqual(["comment.created"]);
  });

  it("names no newer status that reuses a letter", async () => {
    const [postId = ""] = await announced();
    for (const status of ["planned", "started"]) success(await portal.setStatus({ postId }, { status }, owner), 200);
    await statuses.remove(await statuses.read(), "planned");
    const list = await statuses.read();
    const parked = { name: "Parked", color: "ffffff", kind: "planned" } as const;
    await statuses.replace(list, [...list.statuses, parked]);
    await carryOutAll(announce);
    await minute();
    const moves = receiver.messages.filter(({ message }) => message.type === "post.status_changed");
    const named = moves.map(({ message: { data } }) => [data.from, data.to]);
    expect(named.sort()).toEqual([
      [undefined, "started"],
      ["open", undefined],
    ]);
  });
});

describe("A delivery that fails", () => {
  beforeEach(takePostsOnly);

  it("fails after ten attempts in three days, with longer and longer waits", async () => {
    answers(500);
    const [postId = ""] = await announced();
    const waits: number[] = [];
    for (let attempts = 1; attempts <= 10; attempts++) {
      await webhooks.change(webhook.webhookId, { isDisabled: false, failures: 0, failingSince: undefined });
      await minute();
      expect(receiver.messages).toHaveLength(attempts);
      const [{ status, nextAttemptAt, lastStatus }] = await listed();
      expect(status).toEqual(attempts < 10 ? "waiting" : "failed");
      expect(lastStatus).toBe(500);
      if (attempts === 10) break;
      waits.push((Date.parse(nextAttemptAt) - Date.now()) / 1000);
      await minute();
      expect(receiver.messages).toHaveLength(attempts);
      later((waits.at(-1) ?? 0) + 1);
    }
    const meant = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
    for (const [n, wait] of waits.entries()) expect(Math.abs(wait / (meant[n] ?? 0) - 1)).toBeLessThan(0.3);
    expect(ofPosts([postId])).toHaveLength(10);
    await expectSound();
  });

  it("waits as long as `retry-after` says", async () => {
    receiver.answer = (response) => response.writeHead(503, { "retry-after": "3600" }).end();
    await announced();
    await minute();
    later(3500);
    await minute();
    expect(receiver.messages).toHaveLength(1);
    later(200);
    await minute();
    expect(receiver.messages).toHaveLength(2);
  });

  it("leaves only the oldest and the newest to be tried after five failures, until the newest arrives", async () => {
    answers(500);
    const ids = await announced(12);
    await minute();
    expect(receiver.messages).toHaveLength(11);
    expect((await health()).status).toBe("failing");
    receiver.messages = [];
    later(400);
    await minute();
    expect(ofPosts(ids).sort()).toEqual([ids.at(0), ids.at(-1)]);
    // The oldest fails in the same turn.
    receiver.answer = (response, { data }) => response.writeHead(data.postId === ids.at(-1) ? 204 : 500).end();
    receiver.messages = [];
    later(2500);
    await minute();
    expect(ofPosts(ids).sort()).toEqual(ids);
    answers(204);
    later(86_400);
    await minute();
    expect((await health()).status).toBe("active");
  });

  it("disables its webhook after three days or with 410, the owner gets a mail; enabled again, all arrive", async () => {
    await transact({ site: create(key.site(), { ownerId: owner.userId, title: "Feedback" }) });
    answers(500);
    const ids = await announced(2);
    await minute();
    later(3 * 86_400 + 60);
    await minute();
    expect((await health()).status).toBe("disabled");
    expect(await ownerMails()).toBe(1);
    answers(410);
    await enable();
    later(86_400);
    await minute();
    expect((await health()).status).toBe("disabled");
    expect(await ownerMails()).toBe(2);
    answers(204);
    await enable();
    receiver.messages = [];
    later(86_400);
    await minute();
    expect(ofPosts(ids).sort()).toEqual(ids);
    await expectSound();
  });

  it("counts for nothing once the owner has changed the webhook", async () => {
    await webhooks.change(webhook.webhookId, { failures: 7, failingSince: Date.now() - 4 * 86_400_000 });
    await announced();
    const arrived = receiver.hold("/feedback");
    const running = minute();
    const fail = await arrived;
    const enabled = await enable();
    expect(enabled.health.failuresInARow).toBe(0);
    fail();
    await running;
    expect(await health()).toEqual(enabled);
    expect(await webhooks.find(webhook.webhookId)).not.toHaveProperty("failingSince");
  });

  it("repeats a delivery after a failure of the service, which does not count against the webhook", async () => {
    const [postId = ""] = await announced();
    const isOfEvent = ({ input }: Attempt) => JSON.stringify(input).includes('"EVENTS"');
    await withFaults((attempt) => (isOfEvent(attempt) ? throttled() : "none"), minute);
    expect((await listed())[0]).toMatchObject({ status: "waiting", attempts: 1, reasonCode: "SERVICE_FAILED" });
    expect((await health()).health.failuresInARow).toBe(0);
    later(600);
    await minute();
    expect(ofPosts([postId])).toEqual([postId]);
    await expectSound();
  });

  it("occupies one call while its receiver is slow, and that call takes later events too", async () => {
    await announced();
    const arrived = receiver.hold("/feedback");
    const running = minute();
    const fail = await arrived;
    const [postId = ""] = await announced();
    await minute();
    expect(receiver.messages).toEqual([]);
    fail();
    await running;
    expect(ofPosts([postId])).toEqual([postId]);
  });
});

describe("Deliveries", () => {
  beforeEach(takePostsOnly);

  it("arrive once from calls that overlap", async () => {
    const ids = await announced(30);
    await Promise.all([minute(), minute(), minute()]);
    await minute();
    expect(ofPosts(ids).sort()).toEqual(ids);
  });

  it("all arrive if the function dies at any call of the store", async () => {
    const ids = await announced(3);
    for (let n = 1; await cutAt(n, minute); n++) later(2 * 86_400);
    later(2 * 86_400);
    await minute();
    expect(new Set(ofPosts(ids))).toEqual(new Set(ids));
    await expectSound();
  });

  it("arrive again after a replay, under the same ids", async () => {
    const ids = await announced(3);
    await minute();
    const replay = async (body: object) => {
      receiver.messages = [];
      const { replayed, next } = success(await call("webhooks-replay", body), 202);
      await minute();
      return [replayed, next, ofPosts(ids).sort()];
    };
    expect(await replay({ eventId: ids[1] })).toEqual([1, null, [ids[1]]]);
    expect(await replay({})).toEqual([3, null, ids]);
    expect(await replay({ to: "2020-01-01T00:00:00Z" })).toEqual([0, null, []]);
    expect(await replay({ eventId: newId() })).toEqual([0, null, []]);
    expect(await replay({ from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z" })).toEqual([0, null, []]);
    expect(await listed()).toHaveLength(3);
  });

  it("arrive after a replay that finds types of a webhook among five hundred others", async () => {
    await takePostsOnly();
    await announced(1);
    await otherEvents(100);
    const late = await announced(1);
    expect(success(await call("webhooks-replay", {}), 202)).toEqual({ replayed: 2, next: null });
    await minute();
    receiver.messages = [];
    // 500 events of other types are as many as a call looks at.
    await otherEvents(500);
    const [last] = await announced(1);
    const cut = success(await call("webhooks-replay", { after: late[0] }), 202);
    expect(cut).toEqual({ replayed: 0, next: expect.any(String) });
    expect(success(await call("webhooks-replay", { after: cut.next }), 202)).toEqual({ replayed: 1, next: null });
    await minute();
    expect(receiver.messages.filter(({ id }) => id === last)).toHaveLength(1);
  });

  it("begin at the later of two places, and not before the events of 30 days", async () => {
    const old = await aPost(await aMember(), { at: Date.now() - 31 * DAY });
    const [one, two] = await announced(2);
    const from = new Date(timeOf(one as string) + 1).toISOString();
    const replayed = async (body: object) => success(await call("webhooks-replay", body), 202).replayed;
    expect(await replayed({ after: old.postId })).toBe(await replayed({}));
    expect(await replayed({ eventId: old.postId })).toBe(0);
    expect(await replayed({ after: old.postId, from })).toBe(await replayed({ from }));
    expect(await replayed({ after: two, from })).toBe(0);
  });

  it("arrive after replays of fifty events each, also of one millisecond", async () => {
    later(0);
    const ids = await announced(120);
    vi.useRealTimers();
    await minute();
    receiver.messages = [];
    const counts: number[] = [];
    for (let after: string | undefined; after !== null; ) {
      const body = { from: "2020-01-01T00:00:00Z", after };
      const { replayed, next } = success(await call("webhooks-replay", body), 202);
      counts.push(replayed);
      after = next;
    }
    // Before them are the events of the accounts, which the webhook does not get.
    expect(counts).toEqual([50, 50, 20]);
    await minute();
    expect(ofPosts(ids).sort()).toEqual(ids);
  });
});
