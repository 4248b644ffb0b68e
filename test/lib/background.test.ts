import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { work as sendMail } from "../../functions/background/send-mail.ts";
import { work as sweep } from "../../functions/background/sweep.ts";
import * as outbox from "../../lib/accounts/outbox.ts";
import { type BackgroundFunction, defineBackground, defineWork, WorkIsLate } from "../../lib/background.ts";
import { defineFollowUp } from "../../lib/follow-up.ts";
import * as posts from "../../lib/posts/posts.ts";
import type { Outcome } from "../../lib/table/due.ts";
import * as due from "../../lib/table/due.ts";
import type { Family } from "../../lib/table/families.ts";
import { type Key, key } from "../../lib/table/keys.ts";
import { allPosts } from "../../lib/table/post-lists.ts";
import { range } from "../../lib/table/ranges.ts";
import { getRange } from "../../lib/table/reads.ts";
import { atOnce, functionFor, invoke, recordsOf } from "../support/http/invoke.ts";
import { type MailService, startMailService } from "../support/process/mail-service.ts";
import { expectSound, freshTable, newContainer } from "../support/setup.ts";
import { connectionReset, cutAt, withFaults } from "../support/store/faults.ts";
import { addPosts, castAll } from "../support/world/bulk.ts";
import { aMember, aPost, aStranger, postOf } from "../support/world/fixtures.ts";

let service: MailService;

beforeAll(async () => {
  service = await startMailService();
});

const SECOND = 1000;
const MINUTE = 60 * SECOND;

function pass(milliseconds: number): void {
  vi.setSystemTime(Date.now() + milliseconds);
}

beforeEach(async () => {
  newContainer({ MAIL_TRANSPORT: "ses", MAIL_FROM: "board@example.com" });
  await freshTable();
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function waitingIn(family: Family): Promise<Key[]> {
  return (await due.waitingIds(family)).map((sk) => ({ pk: family, sk }));
}

/** A function whose work is told what becomes of it, and which items it worked on. */
function aFunction(outcomeOf: (id: string) => Outcome | Promise<Outcome>) {
  const attempts: string[] = [];
  const work = defineWork({ name: "test", takes: "OUTBOX", table: {} }, async (id) => {
    attempts.push(id);
    const outcome = await outcomeOf(id);
    if (outcome === "done") await outbox.done(id);
    return outcome;
  });
  return { attempts, call: defineBackground("test", [work]) };
}

async function aMail(): Promise<Key> {
  const before = await due.waitingIds("OUTBOX");
  await outbox.add({ to: "ada@example.com", template: "verify" });
  return key.mail((await due.waitingIds("OUTBOX")).find((id) => !before.includes(id)) as string);
}

async function theEntry() {
  return (await due.entriesOf("OUTBOX"))[0];
}

function fails(): never {
  throw new Error("no");
}

describe("A background function on new items", () => {
  it("puts off failed items, and hands nothing back to the stream", async () => {
    const good = await aMail();
    const bad = await aMail();
    const better = await aMail();
    const { call, attempts } = aFunction((id) => (id === bad.sk ? fails() : "done"));
    expect(await call(recordsOf([good, bad, better]))).toEqual({ batchItemFailures: [] });
    expect(attempts).toEqual([good.sk, bad.sk, better.sk]);
    expect(await waitingIn("OUTBOX")).toEqual([bad]);
    const entry = { queue: "OUTBOX", id: bad.sk, tries: 1, reason: "Error: no", since: Date.now() };
    expect(await due.entriesOf("OUTBOX")).toEqual([{ ...entry, dueAt: Date.now() + 15 * SECOND }]);
  });

  it("ignores changes, removals and items of other families", async () => {
    const { call, attempts } = aFunction(() => "done");
    const [own, other] = recordsOf([await aMail(), { pk: "DELETED", sk: "x" }]).Records;
    const changes = (["MODIFY", "REMOVE"] as const).map((eventName) => ({ ...own, eventName }));
    expect(await call({ Records: [...changes, { ...other }] })).toEqual({ batchItemFailures: [] });
    expect(attempts).toEqual([]);
  });
});

describe("A background function each minute", () => {
  it("tries again after 15 seconds, then twice as long each time, up to an hour", async () => {
    const { call, attempts } = aFunction(fails);
    await call(recordsOf([await aMail()]));
    const waits: number[] = [];
    for (let tries = 1; tries < 12; tries++) {
      const { dueAt = 0, since = 0 } = (await theEntry()) ?? {};
      waits.push((dueAt - Date.now()) / SECOND);
      pass(dueAt - Date.now() - 1);
      if (Date.now() - since <= 10 * MINUTE) await call({});
      expect(attempts).toHaveLength(tries);
      pass(1);
      await call({}).catch(() => {});
      expect(await theEntry()).toMatchObject({ tries: tries + 1, since });
    }
    expect(waits).toEqual([15, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]);
  });

  it("fails after ten minutes of failures until the work is done, for the alarm", async () => {
    const mail = await aMail();
    let isRepaired = false;
    const { call } = aFunction(() => (isRepaired ? "done" : fails()));
    await call(recordsOf([mail]));
    pass(10 * MINUTE);
    expect(await call({})).toEqual({ batchItemFailures: [] });
    pass(1);
    await expect(call({})).rejects.toThrow(WorkIsLate);
    await expect(call({})).rejects.toThrow(`1 items have failed for more than ten minutes, such as OUTBOX ${mail.sk}`);
    isRepaired = true;
    await due.retry({ queue: "OUTBOX", id: mail.sk });
    expect(await call({})).toEqual({ batchItemFailures: [] });
    expect(await waitingIn("OUTBOX")).toEqual([]);
    expect(await due.entriesOf("OUTBOX")).toEqual([]);
  });

  it("counts no failure for work that continues later, however late", async () => {
    const mail = await aMail();
    const { call, attempts } = aFunction(() => ({ notBefore: Date.now() + 20 * MINUTE }));
    await call(recordsOf([mail]));
    for (let turn = 0; turn < 3; turn++) {
      pass(20 * MINUTE);
      expect(await call({})).toEqual({ batchItemFailures: [] });
    }
    expect(attempts).toHaveLength(4);
    expect(await theEntry()).toMatchObject({ tries: 0 });
  });

  it("makes one attempt for two calls in parallel", async () => {
    const mails = await atOnce(5, aMail);
    const { call, attempts } = aFunction(fails);
    await call(recordsOf(await waitingIn("OUTBOX")));
    pass(MINUTE);
    await Promise.all([call({}), call({}), call({})]);
    expect(attempts).toHaveLength(2 * mails.length);
    expect((await due.entriesOf("OUTBOX")).map(({ tries }) => tries)).toEqual([2, 2, 2, 2, 2]);
  });

  it("counts an attempt that never ended as a failure, and makes the next one a minute later", async () => {
    const { call } = aFunction(fails);
    await call(recordsOf([await aMail()]));
    const entry = (await theEntry()) as due.Entry;
    pass(15 * SECOND);
    // What a call does before it dies.
    expect(await due.claim(entry)).toBeDefined();
    const cutOff = { tries: 2, since: entry.since, reason: "was cut off", dueAt: Date.now() + MINUTE };
    expect(await theEntry()).toMatchObject(cutOff);
  });

  it("keeps an entry that is written during an attempt, and makes the attempt that it asks for", async () => {
    const mail = await aMail();
    const item = { queue: "OUTBOX", id: mail.sk } as const;
    const { call, attempts } = aFunction(async (): Promise<Outcome> => {
      if (attempts.length === 1) {
        await due.putOff(item, { dueAt: Date.now() + SECOND, tries: 0, since: Date.now(), reason: "meanwhile" });
      }
      return "done";
    });
    await due.retry(item);
    await call({});
    expect(await theEntry()).toMatchObject({ reason: "meanwhile" });
    pass(SECOND);
    await call({});
    expect(attempts).toEqual([mail.sk, mail.sk]);
    expect(await theEntry()).toBeUndefined();
  });

  it("finds the item of a lost record on the hour, and takes it up ten minutes later", async () => {
    const lost = await aMail();
    const onItsWay = await aMail();
    const { call, attempts } = aFunction(() => "done");
    await call({ time: "2026-01-01T10:59:00Z" });
    expect(await due.entriesOf("OUTBOX")).toEqual([]);
    await call({ time: "2026-01-01T11:00:00Z" });
    await call(recordsOf([onItsWay]));
    pass(10 * MINUTE - 1);
    await call({});
    expect(attempts).toEqual([onItsWay.sk]);
    pass(1);
    await call({});
    expect(attempts.slice(1).toSorted()).toEqual([lost.sk, onItsWay.sk].toSorted());
    expect(await waitingIn("OUTBOX")).toEqual([]);
    expect(await due.entriesOf("OUTBOX")).toEqual([]);
  });
});

describe("Long work", () => {
  it("continues in slices, between which other items get their turn", async () => {
    const long = await aMail();
    const short = await aMail();
    let slicesLeft = 4;
    const { call, attempts } = aFunction((id) => (id === long.sk && slicesLeft-- > 0 ? "more" : "done"));
    await call(recordsOf([long, short]));
    expect(await waitingIn("OUTBOX")).toEqual([long]);
    await call({});
    expect(await waitingIn("OUTBOX")).toEqual([]);
    expect(attempts).toEqual([long.sk, short.sk, long.sk, long.sk, long.sk, long.sk]);
  });

  it("stops its slice after three seconds and leaves the rest to later calls: the votes of a popular post", async () => {
    const post = await aPost(await aMember());
    await castAll(post.postId, Array.from({ length: 120 }, aStranger));
    await posts.destroy(post);
    const call = functionFor(sweep);
    // Each deletion takes a tenth of a second: a page of 25 votes takes five.
    const slowly = () => {
      pass(100);
      return "none" as const;
    };
    let calls = 0;
    for (; (await waitingIn("DELETED")).length > 0; calls++) {
      const event = calls === 0 ? recordsOf([key.tombstone(post.postId)]) : {};
      await withFaults(slowly, () => call(event));
    }
    // One page in the stream's call; in the minute's calls pages until forty seconds are over.
    expect(calls).toBeGreaterThan(1);
    expect(calls).toBeLessThan(5);
    await expectSound();
  });
});

describe("A follow-up of posts", () => {
  const record = ({ pk, sk }: Key, eventName: "INSERT" | "MODIFY" | "REMOVE", at: number) => ({
    eventName,
    dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, SequenceNumber: String(at) },
  });

  /** A function whose follow-up is told which posts it takes, and which posts are behind. */
  const aFollowUp = (
    carryOut: (postId: string) => void = () => {},
    isBehind: (postId: string) => boolean = () => false,
  ) => {
    const taken: string[] = [];
    const votersOnly: (boolean | undefined)[] = [];
    const work = defineFollowUp(
      { name: "test", table: {} },
      async (postId, _isOver, inBatch) => {
        taken.push(postId);
        votersOnly.push(inBatch?.votersOnly);
        carryOut(postId);
        return "done";
      },
      async (posts) => posts.map(({ post: { postId } }) => postId).filter(isBehind),
    );
    return { taken, votersOnly, call: defineBackground("test", [work]) };
  };

  it("handles each changed post once a batch, only the ranks after a vote, and leaves deleted posts to the sweeper", async () => {
    const { call, taken, votersOnly } = aFollowUp();
    const Records = [
      record(key.voters("a"), "MODIFY", 1),
      record(key.post("b"), "INSERT", 2),
      record(key.voters("a"), "MODIFY", 3),
      record(key.post("a"), "MODIFY", 4),
      record(key.post("c"), "REMOVE", 5),
      record(key.vote("d", "x"), "INSERT", 6),
      record(key.voters("e"), "MODIFY", 7),
    ];
    expect(await call({ Records })).toEqual({ batchItemFailures: [] });
    expect(taken).toEqual(["a", "b", "e"]);
    expect(votersOnly).toEqual([false, false, true]);
  });

  it("puts off a post that fails, and then checks all of it; the next posts do not wait for it", async () => {
    const { call, taken, votersOnly } = aFollowUp((postId) => postId === "a" && fails());
    const Records = [record(key.voters("a"), "MODIFY", 1), record(key.post("b"), "MODIFY", 2)];
    expect(await call({ Records })).toEqual({ batchItemFailures: [] });
    expect(taken).toEqual(["a", "b"]);
    expect(await due.entriesOf("POSTS")).toMatchObject([{ queue: "POSTS", id: "a", tries: 1 }]);
    pass(15 * SECOND);
    await call({});
    expect(taken).toEqual(["a", "b", "a"]);
    expect(votersOnly).toEqual([true, false, undefined]);
  });

  it("hands the posts back to the stream that could not even be put off", async () => {
    const { call, taken } = aFollowUp((postId) => postId !== "a" && fails());
    const Records = ["a", "b", "c"].map((postId, at) => record(key.post(postId), "MODIFY", at));
    const failed = await withFaults(connectionReset, () => call({ Records }));
    expect(failed).toEqual({ batchItemFailures: [{ itemIdentifier: "1" }, { itemIdentifier: "2" }] });
    expect(taken).toEqual(["a", "b", "c"]);
    expect(await due.entriesOf("POSTS")).toEqual([]);
  });

  it("checks other posts each hour, and finds the posts whose record the stream lost", async () => {
    const author = await aMember();
    await addPosts(Array.from({ length: 450 }, () => postOf(author)));
    const all = (await getRange(range.listRows(allPosts), z.object({ sk: z.string() }))).map(({ sk }) => sk);
    const lost = [all[0], all[150], all[220], all[449]] as string[];
    const { call, taken } = aFollowUp(undefined, (postId) => lost.includes(postId));
    const found: number[] = [];
    for (let hour = 0; hour < 3; hour++) {
      await call({ time: `2026-01-01T0${hour}:00:00Z` });
      found.push((await due.entriesOf("POSTS")).length);
    }
    expect(found.at(-1)).toBe(4);
    expect(found[0]).toBeLessThan(4);
    pass(10 * MINUTE);
    await call({});
    expect(taken.toSorted()).toEqual(lost);
  });
});

describe("Work that is cut off at any call", () => {
  const left = async () => [await waitingIn("OUTBOX"), await due.entriesOf("OUTBOX")].flat();

  /** The record was lost with it: what remains is the search of the hour, and the calls of each minute. */
  const recover = async (call: BackgroundFunction): Promise<void> => {
    await call({ time: "2026-01-01T10:00:00Z" });
    for (let minute = 0; minute < 30 && (await left()).length > 0; minute++) {
      pass(MINUTE);
      await call({}).catch((error: unknown) => expect(error).toBeInstanceOf(WorkIsLate));
    }
  };

  // Nearly the same calls are made either way, so each is cut off in one of the two.
  it.each([
    ["the stream", 1],
    ["a minute's call", 2],
  ])("completes with later calls, begun by %s", async (from, first) => {
    const background = functionFor(sendMail);
    for (let call = first, isCut = true; isCut; call += 2) {
      await freshTable();
      service.taken = [];
      await invoke("auth-sign-up", { body: { email: "ada@example.com", password: "correct horse" } });
      const items = await waitingIn("OUTBOX");
      expect(items.length).toBeGreaterThan(0);
      for (const { sk: id } of items) if (from !== "the stream") await due.retry({ queue: "OUTBOX", id });
      isCut = await cutAt(call, () => background(from === "the stream" ? recordsOf(items) : {}));
      await expectSound();
      await recover(background);
      expect(await left(), `${call}`).toEqual([]);
      // A mail that was cut off between the letter and its removal goes out twice.
      expect([1, 2]).toContain(service.taken.length);
      await expectSound();
    }
  });
});
