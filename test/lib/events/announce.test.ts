import { beforeEach, describe, expect, it } from "vitest";
import { defineWork } from "../../../lib/background.ts";
import { announce } from "../../../lib/events/announce.ts";
import type { EventRecord } from "../../../lib/events/events.ts";
import * as due from "../../../lib/table/due.ts";
import { key } from "../../../lib/table/keys.ts";
import { create } from "../../../lib/table/parts.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { idAt } from "../../../lib/values/ids.ts";
import { carryOutAll, handOver } from "../../support/http/invoke.ts";
import { freshTable } from "../../support/setup.ts";
import { cutAt, Killed } from "../../support/store/faults.ts";
import { aMember, aPost } from "../../support/world/fixtures.ts";

// Each event leaves a mail, under the id of the event.

const told: EventRecord[] = [];

async function partsFor(event: EventRecord) {
  told.push(event);
  return { tidings: create(key.mail(event.eventId), { to: event.type, template: "verify" }) };
}

const work = defineWork(
  { name: "announce", takes: "NEWS", table: { NEWS: ["delete"], EVENTS: ["get"], OUTBOX: ["put"] } },
  (eventId) => announce(eventId, partsFor),
);

/** A post whose event is the only news. */
async function aNewPost(): Promise<string> {
  const author = await aMember();
  for (const id of await due.waitingIds("NEWS")) await announce(id, async () => ({}));
  return (await aPost(author)).postId;
}

function mails(): Promise<string[]> {
  return due.waitingIds("OUTBOX");
}

beforeEach(async () => {
  await freshTable();
  told.length = 0;
});

describe("announce", () => {
  it("announces an event once, however often the stream hands it over", async () => {
    const postId = await aNewPost();
    const before = await mails();
    await Promise.all([1, 2, 3].map(() => handOver(work, key.news(postId))));
    await handOver(work, key.news(postId));
    expect(told[0]).toMatchObject({ eventId: postId, type: "post.created", postId });
    expect((await mails()).filter((id) => !before.includes(id))).toEqual([postId]);
    expect(await due.waitingIds("NEWS")).toEqual([]);
  });

  it.each([undefined, () => new Killed()])(
    "loses and repeats nothing at whichever call it is cut off",
    async (fault) => {
      for (let call = 1, isCut = true; isCut; call++) {
        const postId = await aNewPost();
        const before = await mails();
        isCut = await cutAt(call, () => announce(postId, partsFor).catch(ignoreKill), fault);
        expect(await carryOutAll(work)).toBe(true);
        expect((await mails()).filter((id) => !before.includes(id))).toEqual([postId]);
      }
    },
  );

  it("waits if a condition of its parts fails", async () => {
    const postId = await aNewPost();
    await transact({ mail: create(key.mail(postId), { to: "ada@example.com", template: "verify" }) });
    await handOver(work, key.news(postId));
    expect((await due.entriesOf("NEWS"))[0]?.reason).toContain("could not be announced: tidings");
  });

  it("announces nothing that was written into the past", async () => {
    const author = await aMember();
    const before = await due.waitingIds("NEWS");
    await aPost(author, { at: Date.now() - 2 * 3_600_000 });
    expect(await due.waitingIds("NEWS")).toEqual(before);
    expect(before).toContain(author.userId);
  });

  it("forgets news whose event has expired", async () => {
    const eventId = idAt(Date.now());
    await transact({ news: create(key.news(eventId), {}) });
    expect(await carryOutAll(work)).toBe(true);
    expect(told).toEqual([]);
  });
});

function ignoreKill(error: unknown): void {
  if (!(error instanceof Killed)) throw error;
}
