import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { work } from "../../../functions/background/announce.ts";
import * as outbox from "../../../lib/accounts/outbox.ts";
import { findWaiting } from "../../../lib/background.ts";
import { EVENT_DAYS, eventParts, NEWS_MS } from "../../../lib/events/events.ts";
import * as news from "../../../lib/events/news.ts";
import { setFields } from "../../../lib/table/changes.ts";
import * as due from "../../../lib/table/due.ts";
import { key } from "../../../lib/table/keys.ts";
import { create, remove } from "../../../lib/table/parts.ts";
import { range } from "../../../lib/table/ranges.ts";
import { SETTLE_MS } from "../../../lib/table/settling.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { DAY_MS } from "../../../lib/values/days.ts";
import { firstIdAt, forgetLastId, newId } from "../../../lib/values/ids.ts";
import { carryOutAll, functionFor, handOver, recordsOf } from "../../support/http/invoke.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { recordCalls } from "../../support/store/calls.ts";
import { type Attempt, cutAt, type Fault, Killed, withFaults } from "../../support/store/faults.ts";
import { aPost, aUser, aWebhook, type Person } from "../../support/world/fixtures.ts";

// A disabled webhook leaves a mail: each announcement would leave another one.

let owner: Person;
let webhookId: string | undefined;

beforeEach(async () => {
  await freshTable();
  forgetLastId();
  owner = await aUser("owner");
  await transact({ site: create(key.site(), { ownerId: owner.userId, title: "Feedback" }) });
  webhookId = undefined;
  await carryOutAll(work);
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

function pass(milliseconds: number): void {
  vi.setSystemTime(Date.now() + milliseconds);
}

/** A webhook is disabled: a mail tells who made it. It gets none of these events. */
async function aDisabling(eventId = newId()): Promise<string> {
  webhookId ??= (await aWebhook(owner, { events: ["post.deleted"] })).webhook.webhookId;
  await transact(eventParts({ type: "webhook.disabled", by: owner.userId, webhookId }, eventId));
  return eventId;
}

/** An event of which nobody is told. */
async function aSignUp(): Promise<string> {
  const userId = newId();
  await transact(eventParts({ type: "user.created", by: userId, userId }, userId));
  return userId;
}

/** An event as functions from before the mark write it. */
async function anOldEvent(): Promise<string> {
  const eventId = await aDisabling();
  const unmarked = setFields(key.event(eventId), { isNews: undefined });
  await transact({ event: unmarked, news: create(key.news(eventId)) });
  return eventId;
}

async function mails(): Promise<number> {
  return (await outbox.waiting()).filter(({ template }) => template === "webhook-disabled").length;
}

async function waitingNews(): Promise<string[]> {
  return (await findWaiting(work)).ids;
}

const HOUR_MS = 60 * 60 * 1000;
const faults = [undefined, () => new Killed()];

describe("announce", () => {
  it("announces an event once, however often the stream hands it over", async () => {
    const eventId = await aDisabling();
    await Promise.all([1, 2, 3].map(() => handOver(work, key.event(eventId))));
    await handOver(work, key.event(eventId));
    expect(await mails()).toBe(1);
    expect(await waitingNews()).toEqual([]);
  });

  it.each(faults)("loses and repeats nothing at whichever call it is cut off", async (fault) => {
    for (let call = 1, isCut = true; isCut; call++) {
      const eventId = await aDisabling();
      isCut = await cutAt(call, () => handOver(work, key.event(eventId)).catch(() => {}), fault);
      expect(await carryOutAll(work)).toBe(true);
      expect(await mails()).toBe(call);
    }
  });

  it("announces nothing that was written into the past", async () => {
    const { postId } = await aPost(owner, { at: Date.now() - 2 * HOUR_MS });
    expect(await waitingNews()).toEqual([]);
    const { calls } = await handOver(work, key.event(postId));
    const actions = calls.flatMap(({ touches }) => touches.map(({ action }) => action));
    expect(actions.filter((action) => !/GetItem$/.test(action))).toEqual([]);
  });

  it("forgets an event that expires before it is announced, and writes it no more", async () => {
    const eventId = await aSignUp();
    const { end } = (await news.find(eventId)) ?? {};
    await transact({ event: remove(key.event(eventId)) });
    await end?.alone();
    await handOver(work, key.event(eventId));
    expect(await waitingNews()).toEqual([]);
    await expectSound();
  });

  it("ends the news of a batch in one call on one machine, and each alone in the cloud, for half the units", async () => {
    const writes = async (isAlone: boolean): Promise<string[]> => {
      const eventIds = [await aSignUp(), await aSignUp(), await aSignUp()];
      const batch = { ...recordsOf(eventIds.map(key.event)), isAlone };
      const { calls } = await recordCalls(() => functionFor(work)(batch));
      expect(await waitingNews()).toEqual([]);
      const writing = calls.filter(({ touches }) => touches.some(({ action }) => action === "UpdateItem"));
      return writing.map(({ operation }) => operation);
    };
    expect(await writes(true)).toEqual(["TransactWriteItems"]);
    expect(await writes(false)).toEqual(["UpdateItem", "UpdateItem", "UpdateItem"]);
  });

  it("loses nothing of a batch of one machine that is cut off", async () => {
    for (let call = 1, isCut = true; isCut; call++) {
      const batch = { ...recordsOf([key.event(await aSignUp())]), isAlone: true };
      isCut = await cutAt(call, () => functionFor(work)(batch).catch(() => {}), undefined);
      expect(await carryOutAll(work)).toBe(true);
      expect(await waitingNews()).toEqual([]);
    }
  });
});

describe("News of functions from before the mark", () => {
  it("are announced once, also if the stream hands over their event with them", async () => {
    const eventId = await anOldEvent();
    await handOver(work, key.event(eventId), key.news(eventId));
    await handOver(work, key.news(eventId));
    expect(await mails()).toBe(1);
    expect(await waitingNews()).toEqual([]);
  });

  it.each(faults)("are found if their record is lost, at whichever call they are cut off", async (fault) => {
    for (let call = 1, isCut = true; isCut; call++) {
      const eventId = await anOldEvent();
      isCut = await cutAt(call, () => handOver(work, key.news(eventId)).catch(() => {}), fault);
      expect(await carryOutAll(work)).toBe(true);
      expect(await mails()).toBe(call);
    }
  });

  it("are forgotten if their event has expired", async () => {
    await transact({ news: create(key.news(newId())) });
    expect(await carryOutAll(work)).toBe(true);
    expect(await waitingNews()).toEqual([]);
  });
});

describe("The hourly search for news", () => {
  const search = () => functionFor(work)({ time: "2026-01-01T11:00:00Z" });

  /** Takes up what the search has found. */
  async function tenMinutesLater(): Promise<void> {
    pass(10 * 60_000);
    await functionFor(work)({});
  }

  it("finds an event whose record is lost, however long background work stood still", async () => {
    await aDisabling();
    await search();
    expect(await mails()).toBe(0);
    await tenMinutesLater();
    expect(await mails()).toBe(1);
    await aDisabling();
    pass((EVENT_DAYS - 1) * DAY_MS);
    await search();
    await tenMinutesLater();
    expect(await mails()).toBe(2);
    expect(await due.entriesOf("NEWS")).toEqual([]);
    await expectSound();
  });

  it.each(faults)("misses and repeats nothing at whichever call it is cut off", async (fault) => {
    for (let call = 1, isCut = true; isCut; call++) {
      await aDisabling();
      pass(NEWS_MS + SETTLE_MS + 1);
      isCut = await cutAt(call, () => search().catch(() => {}), fault);
      await expectSound();
      await aDisabling();
      await search();
      await tenMinutesLater();
      expect(await mails()).toBe(2 * call);
      await expectSound();
    }
  });

  it("misses and repeats nothing beside another one and the stream", async () => {
    const eventIds = [await aDisabling(), await aDisabling()];
    pass(SETTLE_MS + 1);
    await Promise.all([search(), search(), ...eventIds.map((eventId) => handOver(work, key.event(eventId)))]);
    await tenMinutesLater();
    expect(await mails()).toBe(2);
    await expectSound();
  });

  it("finds an event under an id of almost an hour ago, as a text that waited gets one", async () => {
    const eventId = newId();
    await aSignUp();
    pass(NEWS_MS - 1000);
    await search();
    await aDisabling(eventId);
    await search();
    await tenMinutesLater();
    expect(await mails()).toBe(1);
  });

  it("reads no events from before the last hour again", async () => {
    const queries = async (): Promise<unknown[]> => {
      const from: unknown[] = [];
      const note = ({ input }: Attempt): Fault => {
        const { ":pk": pk, ":from": start } = (input.ExpressionAttributeValues ?? {}) as Record<string, { S?: string }>;
        if (pk?.S === "EVENTS") from.push(start?.S);
        return "none";
      };
      await withFaults(note, search);
      return from;
    };
    await aSignUp();
    pass(NEWS_MS + SETTLE_MS + 1);
    expect(await queries()).toEqual([range.events().from]);
    expect(await queries()).toEqual([firstIdAt(Date.now() - NEWS_MS - SETTLE_MS)]);
  });
});
