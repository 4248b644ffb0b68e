import { beforeEach, describe, expect, it } from "vitest";
import { work } from "../../../functions/background/announce.ts";
import * as outbox from "../../../lib/accounts/outbox.ts";
import { eventParts } from "../../../lib/events/events.ts";
import * as due from "../../../lib/table/due.ts";
import { key } from "../../../lib/table/keys.ts";
import { create } from "../../../lib/table/parts.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { newId } from "../../../lib/values/ids.ts";
import { carryOutAll, functionFor, handOver, recordsOf } from "../../support/http/invoke.ts";
import { freshTable } from "../../support/setup.ts";
import { recordCalls } from "../../support/store/calls.ts";
import { cutAt, Killed } from "../../support/store/faults.ts";
import { aPost, aUser, aWebhook, type Person } from "../../support/world/fixtures.ts";

// A disabled webhook leaves a mail: each announcement would leave another one.

let owner: Person;

beforeEach(async () => {
  await freshTable();
  owner = await aUser("owner");
  await transact({ site: create(key.site(), { ownerId: owner.userId, title: "Feedback" }) });
  await carryOutAll(work);
});

async function aDisabledWebhook(): Promise<string> {
  const { webhookId } = (await aWebhook(owner)).webhook;
  const eventId = newId();
  await transact(eventParts({ type: "webhook.disabled", by: owner.userId, webhookId }, eventId));
  return eventId;
}

async function mails(): Promise<number> {
  return (await outbox.waiting()).filter(({ template }) => template === "webhook-disabled").length;
}

describe("announce", () => {
  it("announces an event once, however often the stream hands it over", async () => {
    const eventId = await aDisabledWebhook();
    await Promise.all([1, 2, 3].map(() => handOver(work, key.news(eventId))));
    await handOver(work, key.news(eventId));
    expect(await mails()).toBe(1);
    expect(await due.waitingIds("NEWS")).toEqual([]);
  });

  it.each([undefined, () => new Killed()])(
    "loses and repeats nothing at whichever call it is cut off",
    async (fault) => {
      for (let call = 1, isCut = true; isCut; call++) {
        const eventId = await aDisabledWebhook();
        isCut = await cutAt(call, () => handOver(work, key.news(eventId)).catch(() => {}), fault);
        expect(await carryOutAll(work)).toBe(true);
        expect(await mails()).toBe(call);
      }
    },
  );

  it("announces nothing that was written into the past", async () => {
    await aPost(owner, { at: Date.now() - 2 * 3_600_000 });
    expect(await due.waitingIds("NEWS")).toEqual([]);
  });

  it("forgets news whose event has expired", async () => {
    await transact({ news: create(key.news(newId()), {}) });
    expect(await carryOutAll(work)).toBe(true);
    expect(await due.waitingIds("NEWS")).toEqual([]);
  });

  it("removes the news of a batch in one call on one machine, and each alone in the cloud, for half the units", async () => {
    const removals = async (isAlone: boolean): Promise<string[]> => {
      const eventIds = [newId(), newId(), newId()];
      for (const userId of eventIds) await transact(eventParts({ type: "user.created", by: userId, userId }, userId));
      const batch = { ...recordsOf(eventIds.map(key.news)), isAlone };
      const { calls } = await recordCalls(() => functionFor(work)(batch));
      expect(await due.waitingIds("NEWS")).toEqual([]);
      const removing = calls.filter(({ touches }) => touches.some(({ action }) => action === "DeleteItem"));
      return removing.map(({ operation }) => operation);
    };
    expect(await removals(true)).toEqual(["TransactWriteItems"]);
    expect(await removals(false)).toEqual(["DeleteItem", "DeleteItem", "DeleteItem"]);
  });

  it("loses nothing of a batch of one machine that is cut off", async () => {
    for (let call = 1, isCut = true; isCut; call++) {
      const userId = newId();
      await transact(eventParts({ type: "user.created", by: userId, userId }, userId));
      const batch = { ...recordsOf([key.news(userId)]), isAlone: true };
      isCut = await cutAt(call, () => functionFor(work)(batch).catch(() => {}), undefined);
      expect(await carryOutAll(work)).toBe(true);
      expect(await due.waitingIds("NEWS")).toEqual([]);
    }
  });
});
