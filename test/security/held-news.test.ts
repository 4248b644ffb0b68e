import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { work as announce } from "../../functions/background/announce.ts";
import { work as sendMail } from "../../functions/background/send-mail.ts";
import { work as sendNotices } from "../../functions/background/send-notices.ts";
import { work as sweep } from "../../functions/background/sweep.ts";
import { handler as deliver, table } from "../../functions/scheduled/deliver.ts";
import type { Letter } from "../../lib/mail/layout.ts";
import { HOUR_MS } from "../../lib/notices/digest.ts";
import type { PostRecord } from "../../lib/posts/posts.ts";
import { carryOutAll, invoke, success } from "../support/http/invoke.ts";
import * as portal from "../support/portal.ts";
import { type Receiver, startReceiver } from "../support/process/receiver.ts";
import { aFolder } from "../support/process/server-process.ts";
import { expectSound, freshTable, newContainer } from "../support/setup.ts";
import { recordCalls } from "../support/store/calls.ts";
import { anOwner, aPost, aReader, aVote, aWebhook, type Person } from "../support/world/fixtures.ts";
import { setPolicy } from "../support/world/held.ts";

// Held and declined things are in no mail, message or event. Only the digest tells the people of the team who chose it.
// Everybody here gets every mail there is.

const CANARY = "Canary 6b1f";
const REASON = "Reason 6b1f";

let receiver: Receiver;
let owner: Person;
/** Chose the digest. */
let moderator: Person;
let author: Person;
let reader: Person;
/** A post with readers, of which all was told. */
let post: PostRecord;

beforeAll(async () => {
  receiver = await startReceiver();
});

beforeEach(async () => {
  await freshTable();
  newContainer({ RATE_LIMITS: "", MAIL_TRANSPORT: "log", MAIL_LOG_FILE: join(aFolder(), "mail.jsonl") });
  owner = await anOwner();
  moderator = await aReader("moderator");
  author = await aReader();
  reader = await aReader();
  const all = { comments: true, ownPosts: true, newPosts: true };
  for (const person of [owner, author, reader]) success(await portal.chooseMails(all, person), 200);
  success(await portal.chooseMails({ ...all, digest: true }, moderator), 200);
  post = await aPost(author);
  for (const person of [owner, moderator, reader]) await aVote(post.postId, person);
  receiver.secrets = [(await aWebhook(owner, { url: receiver.url })).secret];
  await told();
  await setPolicy({ posts: "all", comments: "all" });
});

type Told = { letters: Letter[]; messages: string; events: string };

/** What leaves in the two hours after the last call, and all events. */
async function told(): Promise<Told> {
  receiver.messages = [];
  const print = vi.spyOn(console, "info").mockImplementation(() => {});
  onTestFinished(() => void vi.useRealTimers());
  expect(await carryOutAll(sweep, announce)).toBe(true);
  await recordCalls(() => deliver({}), { name: "deliver", table });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + HOUR_MS + 60_000 });
  expect(await carryOutAll(sendMail, sendNotices)).toBe(true);
  print.mockRestore();
  await expectSound();
  const { events } = success(await invoke("events-list", { token: owner.token, query: { first: "100" } }), 200);
  return { letters: sent(), messages: JSON.stringify(receiver.messages), events: JSON.stringify(events) };
}

/** The letters of the log, which is empty then. */
function sent(): Letter[] {
  const file = process.env.MAIL_LOG_FILE ?? "";
  const lines = readFileSync(file, { encoding: "utf8", flag: "a+" }).split("\n");
  rmSync(file);
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Letter);
}

/** The letters that name it, by their readers and subjects. */
function naming({ letters }: Told, ...words: string[]): string[] {
  const found = letters.filter((letter) => words.some((each) => JSON.stringify(letter).includes(each)));
  return found.map(({ to, subject }) => `${to}: ${subject}`).sort();
}

const digest = (n: string) => `${moderator.email}: ${n} for your decision on Wishes`;

function saysNothing({ messages, events }: Told, ...secrets: string[]): void {
  for (const secret of secrets) {
    expect(messages).not.toContain(secret);
    expect(events).not.toContain(secret);
  }
}

/** Holds a post and a comment. Returns their ids. */
async function holdBoth(): Promise<[string, string]> {
  const newPost = success(await portal.post({ title: CANARY, contentMarkdown: CANARY }, author), 201);
  const newComment = success(await portal.comment(post, { body: CANARY }, author), 201);
  expect([newPost.held, newComment.held]).toEqual([true, true]);
  return [newPost.post.postId, newComment.activity.id];
}

/** A comment that does not wait: from now on nothing is held. Returns its id. */
async function comment(body: string): Promise<string> {
  await setPolicy({});
  return success(await portal.comment(post, { body }, author), 201).activity.id;
}

async function decide(decision: string, ...ids: string[]): Promise<void> {
  success(await portal.decide(decision, ids, owner), 200);
}

async function report(name: "posts-report" | "comments-report", params: Record<string, string>): Promise<void> {
  success(await invoke(name, { token: reader.token, params, body: { reason: REASON } }), 204);
}

describe("A held post and a held comment", () => {
  it("are told to a moderator who chose the digest, in no other mail, and in no message or event", async () => {
    const ids = await holdBoth();
    const found = await told();
    expect(naming(found, CANARY, ...ids)).toEqual([digest("2 things wait")]);
    saysNothing(found, CANARY, ...ids);
  });

  it("are told to nobody once they are declined", async () => {
    const ids = await holdBoth();
    await decide("decline", ...ids);
    const found = await told();
    expect(naming(found, CANARY, ...ids)).toEqual([]);
    saysNothing(found, CANARY, ...ids);
  });

  it("are told to nobody once their author is suspended for one of them", async () => {
    const [postId, commentId] = await holdBoth();
    await decide("suspend", postId);
    const found = await told();
    expect(naming(found, CANARY, postId, commentId)).toEqual([]);
    saysNothing(found, CANARY, postId, commentId);
  });

  it("are told like any other once they are approved", async () => {
    const [postId, commentId] = await holdBoth();
    await decide("approve", postId, commentId);
    const found = await told();
    const readers = new Set(naming(found, CANARY).map((line) => line.split(":")[0]));
    expect([...readers].sort()).toEqual([owner, moderator, reader].map(({ email }) => email).sort());
    for (const id of [postId, commentId]) {
      expect(found.messages).toContain(id);
      expect(found.events).toContain(id);
    }
    expect(found.messages).toContain(CANARY);
  });
});

describe("A reported post or comment", () => {
  it("is told to a moderator who chose the digest, and why it was reported to nobody", async () => {
    const commentId = await comment("Buy this.");
    await told();
    await report("posts-report", { postId: post.postId });
    await report("comments-report", { postId: post.postId, commentId });
    const found = await told();
    expect(found.letters.map(({ to, subject }) => `${to}: ${subject}`)).toEqual([digest("2 things wait")]);
    expect(naming(found, REASON, reader.userId)).toEqual([]);
    expect(found.messages).toBe("[]");
    saysNothing(found, REASON);
  });

  it("is quoted in no mail or message that has not left when the team deletes it", async () => {
    const { post: bad } = success(await portal.post({ title: CANARY, contentMarkdown: CANARY }, author), 201);
    await decide("approve", bad.postId);
    const commentId = await comment(CANARY);
    await report("posts-report", { postId: bad.postId });
    await report("comments-report", { postId: post.postId, commentId });
    await decide("decline", bad.postId, commentId);
    const found = await told();
    expect(naming(found, CANARY, REASON, bad.postId)).toEqual([]);
    saysNothing(found, CANARY, REASON);
    // Programs that had heard of them hear that they are gone.
    for (const id of [bad.postId, commentId]) expect(found.messages).toContain(id);
  });
});
