import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { work as announce } from "../../../functions/background/announce.ts";
import { handler as send } from "../../../functions/background/send.ts";
import { work as sendNotices } from "../../../functions/background/send-notices.ts";
import { register } from "../../../lib/accounts/new-users.ts";
import * as outbox from "../../../lib/accounts/outbox.ts";
import { newAccount } from "../../../lib/auth/accounts.ts";
import { findWaiting } from "../../../lib/background.ts";
import * as statuses from "../../../lib/catalogue/statuses.ts";
import * as events from "../../../lib/events/events.ts";
import { countNews, NEWS_TO_READER } from "../../../lib/mail/bounds.ts";
import { COLLECTING_MS } from "../../../lib/notices/changes.ts";
import { PAGE } from "../../../lib/notices/readers.ts";
import * as due from "../../../lib/table/due.ts";
import { key } from "../../../lib/table/keys.ts";
import { put, remove } from "../../../lib/table/parts.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { newId } from "../../../lib/values/ids.ts";
import { carryOutAll, handOver, invoke, refusal, success } from "../../support/http/invoke.ts";
import { logLines } from "../../support/http/logs.ts";
import * as portal from "../../support/portal.ts";
import { type MailService, startMailService } from "../../support/process/mail-service.ts";
import { expectSound, freshTable, newContainer } from "../../support/setup.ts";
import { cutAt } from "../../support/store/faults.ts";
import {
  aBoard,
  aMember,
  aPost as aNewPost,
  anAccount,
  aReader,
  aUser,
  aVote,
  type Person,
  type PostFields,
  strangersVote,
} from "../../support/world/fixtures.ts";
import { moveAll } from "../../support/world/merges.ts";

let service: MailService;

beforeAll(async () => {
  service = await startMailService();
});

beforeEach(async () => {
  await freshTable();
  newContainer({
    RATE_LIMITS: "",
    MAIL_TRANSPORT: "ses",
    MAIL_FROM: "board@example.com",
    NOTICES_PER_SECOND: "1000000",
  });
  Object.assign(service, { mood: "take", taken: [], subjects: [], attempts: 0, onTaken: () => {} });
});

/** The addresses that get a mail about everything that happened since the last call. */
async function told(): Promise<string[]> {
  service.taken = [];
  await carryOutAll(announce);
  expect(await carryOutAll(sendNotices)).toBe(true);
  return service.taken.toSorted();
}

/** Announces the events that wait. */
async function carryOutAnnounced(): Promise<void> {
  expect(await carryOutAll(announce)).toBe(true);
}

/** A post of which the team was told before (new-posts.test.ts). */
async function aPost(author: Person, fields?: PostFields) {
  const post = await aNewPost(author, fields);
  await carryOutAnnounced();
  await transact({ newPosts: remove(key.newPosts()) });
  return post;
}

function addressesOf(...people: Person[]): string[] {
  return people.map(({ email }) => email).sort();
}

async function setStatus(post: { postId: string }, by: Person, body: object = { status: "planned" }): Promise<void> {
  success(await portal.setStatus(post, body, by), 200);
}

describe("The mail of a new status", () => {
  it("reaches author, voters and followers, each once", async () => {
    const author = await aReader();
    const voter = await aReader();
    const follower = await aReader();
    const both = await aReader();
    const post = await aPost(author);
    for (const person of [author, voter, both]) await aVote(post.postId, person);
    for (const person of [follower, both]) await portal.follow(post, person);
    expect(await told()).toEqual([]);
    await setStatus(post, await aUser("moderator"));
    expect(await told()).toEqual(addressesOf(author, voter, follower, both));
  });

  it("reaches neither the caller nor accounts that are unconfirmed, suspended, left the post or switched it off", async () => {
    const author = await aReader();
    const left = await aReader();
    const off = await aReader();
    const gone = await aReader("suspended");
    const actor = await aReader("moderator");
    const post = await aPost(author);
    for (const person of [left, off, gone, actor, await aMember()]) await aVote(post.postId, person);
    await portal.leave(post, left);
    await portal.chooseMails({ status: false }, off);
    await setStatus(post, actor);
    expect(await told()).toEqual(addressesOf(author));
    await portal.leave(post, author);
    await setStatus(post, actor, { status: "started" });
    expect(await told()).toEqual([]);
  });

  it("reaches nobody but the team while the board is hidden", async () => {
    const moderator = await aReader("moderator");
    const { boardId } = await aBoard({ display: false });
    const post = await aPost(await aReader(), { boardId });
    await aVote(post.postId, moderator);
    await setStatus(post, await aUser("moderator"));
    expect(await told()).toEqual(addressesOf(moderator));
  });

  it("reaches no later voter, and no reader once the post is deleted", async () => {
    const author = await aReader();
    const late = await aReader();
    const actor = await aUser("moderator");
    const post = await aPost(author);
    await setStatus(post, actor);
    await aVote(post.postId, late);
    expect(await told()).toEqual(addressesOf(author));
    await setStatus(post, actor, { status: "started" });
    success(await portal.deletePost(post, actor), 204);
    expect(await told()).toEqual([]);
    expect(await due.waitingIds("NOTICES")).toEqual([]);
  });

  it("reaches nobody once the status is deleted, also where another one has taken its letter", async () => {
    const author = await aReader();
    const actor = await aUser("moderator");
    const post = await aPost(author);
    for (const status of ["planned", "started"]) await setStatus(post, actor, { status });
    await statuses.remove(await statuses.read(), "planned");
    const list = await statuses.read();
    await statuses.replace(list, [...list.statuses, { name: "Parked", color: "ffffff", kind: "planned" }]);
    service.subjects = [];
    await told();
    expect(service.subjects).toEqual([`Started: ${post.title}`]);
  });
});

describe("The mail of a merge", () => {
  let moderator: Person;
  let author: Person;
  let duplicate: Awaited<ReturnType<typeof aPost>>;
  let target: Awaited<ReturnType<typeof aPost>>;

  beforeEach(async () => {
    moderator = await aReader("moderator");
    author = await aReader();
    duplicate = await aPost(author, { title: "Dark mode, please" });
    target = await aPost(await aReader(), { title: "A dark mode" });
  });

  async function merge(body: object = {}): Promise<void> {
    const request = { params: { postId: duplicate.postId }, body: { into: target.postId, ...body } };
    success(await invoke("posts-merge", { token: moderator.token, ...request }), 200);
    await moveAll(duplicate.postId);
  }

  it("reaches author, voters and followers of the duplicate, each once, and nobody who voted on both", async () => {
    const voter = await aReader();
    const follower = await aReader();
    const both = await aReader();
    const other = await aReader();
    for (const person of [author, voter, both, ...(await Promise.all(Array.from({ length: PAGE }, () => aMember())))])
      await aVote(duplicate.postId, person);
    for (const person of [both, other]) await aVote(target.postId, person);
    for (const person of [follower, both]) await portal.follow(duplicate, person);
    await merge();
    service.subjects = [];
    expect(await told()).toEqual(addressesOf(author, voter, follower));
    expect(new Set(service.subjects)).toEqual(new Set(["Merged: Dark mode, please"]));
    expect(await due.waitingIds("NOTICES")).toEqual([]);
  });

  it("leads to the other post, and ends the mails about that one", async () => {
    await merge();
    const { text, headers } = await theLetter();
    expect(text).toContain("“Dark mode, please” and “A dark mode” ask for the same");
    expect(text).toContain(`/posts/${target.slug}`);
    expect(headers["List-Unsubscribe"]).toContain(target.postId);
  });

  it("is sent to nobody of a quiet merge, nor of one that is undone within the minute", async () => {
    await aVote(duplicate.postId, await aReader());
    await merge({ notify: false });
    expect(await told()).toEqual([]);
    const undo = { token: moderator.token, params: { postId: duplicate.postId } };
    success(await invoke("posts-unmerge", undo), 200);
    await moveAll(duplicate.postId);
    await merge();
    await carryOutAnnounced();
    success(await invoke("posts-unmerge", undo), 200);
    await moveAll(duplicate.postId);
    expect(await told()).toEqual([]);
  });

  it("keeps to the choices of its readers, and tells nobody of a post on a hidden board", async () => {
    const off = await aReader();
    const left = await aReader();
    const gone = await aReader("suspended");
    for (const person of [off, left, gone, moderator, await aMember()]) await aVote(duplicate.postId, person);
    await portal.chooseMails({ status: false }, off);
    for (const person of [left, author]) await portal.leave(duplicate, person);
    await merge();
    expect(await told()).toEqual([]);
    const hidden = await aPost(author, { boardId: (await aBoard({ display: false })).boardId });
    duplicate = await aPost(author);
    target = hidden;
    await merge();
    expect(await told()).toEqual([]);
    duplicate = await aPost(author, { boardId: hidden.boardId as string });
    target = await aPost(author);
    await merge();
    expect(await told()).toEqual([]);
  });

  it("waits for tomorrow where a reader had fifty, alone", async () => {
    // The mails leave an hour later, on the same day.
    vi.useFakeTimers({ toFake: ["Date"], now: Math.ceil(Date.now() / 86_400_000) * 86_400_000 + 100_000 });
    onTestFinished(() => void vi.useRealTimers());
    newContainer({ RATE_LIMITS: "on" });
    const full = await aReader();
    for (const person of [full, author]) await aVote(duplicate.postId, person);
    for (let n = 0; n < NEWS_TO_READER; n++) await countNews({ user: full, by: newId(), isOfTeam: true });
    await merge();
    await carryOutAll(announce);
    service.taken = [];
    await carryOutAll(sendNotices);
    expect(service.taken).toEqual(addressesOf(author));
    expect(await due.waitingIds("NOTICES")).toEqual([key.mergeNotice(duplicate.postId, full.userId).sk]);
  });
});

/** Sends the waiting letter, and returns it. */
async function theLetter() {
  const file = join(mkdtempSync(join(tmpdir(), "news-")), "mail.jsonl");
  newContainer({ MAIL_TRANSPORT: "log", MAIL_LOG_FILE: file });
  const print = vi.spyOn(console, "info").mockImplementation(() => {});
  await carryOutAll(announce);
  await carryOutAll(sendNotices);
  print.mockRestore();
  newContainer({ MAIL_TRANSPORT: "ses", MAIL_LOG_FILE: "" });
  return JSON.parse(readFileSync(file, "utf8"));
}

describe("What changes on a post within a minute", () => {
  const subjects = async () => {
    service.subjects = [];
    await told();
    return service.subjects;
  };

  it("has one mail, with the state at the time when it is sent", async () => {
    const author = await aReader();
    const actor = await aUser("moderator");
    const post = await aPost(author);
    for (const status of ["started", "completed", "started", "declined", "started", "planned"])
      await setStatus(post, actor, { status });
    expect(await subjects()).toEqual([`Planned: ${post.title}`]);
    await setStatus(post, actor, { status: "planned", text: "Soon" });
    await setStatus(post, actor, { status: "started" });
    expect(await subjects()).toEqual([`Started: ${post.title}`]);
  });

  it("has no mail if it was put right", async () => {
    const actor = await aUser("moderator");
    const post = await aPost(await aReader());
    await setStatus(post, actor, { status: "declined" });
    await setStatus(post, actor, { status: "open" });
    expect(await subjects()).toEqual([]);
    await setStatus(post, actor, { status: "open", text: "Too early" });
    await setStatus(post, actor, { status: "open", text: null });
    expect(await subjects()).toEqual([]);
    expect(await due.waitingIds("NOTICES")).toEqual([]);
  });

  it("has no mail if the team says so, but an event", async () => {
    const owner = await aUser("owner");
    const post = await aPost(await aReader());
    await setStatus(post, owner, { status: "planned", text: "Sonn", notify: false });
    expect(await subjects()).toEqual([]);
    await setStatus(post, owner, { status: "planned", text: "Soon" });
    await setStatus(post, owner, { status: "planned", text: "Soon!", notify: false });
    expect(await subjects()).toEqual([`A response to ${post.title}`]);
    const { items } = await events.first({}, 100);
    const changes = items.filter(({ type, postId }) => type === "post.status_changed" && postId === post.postId);
    expect(changes).toHaveLength(3);
    refusal(await portal.setStatus(post, { status: "open", notify: "no" }, owner), "VALIDATION_ERROR", "body.notify");
  });

  it("waits for the next day for a reader with fifty mails, and for nobody else", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Math.floor(Date.now() / 86_400_000) * 86_400_000 + 100_000 });
    onTestFinished(() => void vi.useRealTimers());
    newContainer({ RATE_LIMITS: "on" });
    const author = await aReader();
    const busy = await aReader();
    const actor = await aUser("moderator");
    const post = await aPost(author);
    await aVote(post.postId, busy);
    for (let n = 0; n < NEWS_TO_READER; n++) await countNews({ user: busy, by: actor.userId, isOfTeam: true });
    await setStatus(post, actor, { status: "planned" });
    await carryOutAnnounced();
    vi.setSystemTime(Date.now() + COLLECTING_MS);
    await handOver(sendNotices, key.changes(post.postId));
    expect(service.taken).toEqual([author.email]);
    await setStatus(post, actor, { status: "started" });
    await carryOutAnnounced();
    vi.setSystemTime(Date.now() + COLLECTING_MS);
    await handOver(sendNotices, key.changes(post.postId));
    await expectSound();
    expect(service.taken).toEqual([author.email, author.email]);
    vi.setSystemTime(Date.now() + 86_400_000);
    await handOver(sendNotices, key.changes(post.postId, busy.userId));
    expect(service.taken.slice(2)).toEqual([busy.email]);
    expect(service.subjects.at(-1)).toBe(`Started: ${post.title}`);
    expect(await due.waitingIds("NOTICES")).toEqual([]);
  });

  it("waits for a minute after the first change, and no longer", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const author = await aReader();
    const actor = await aUser("moderator");
    const post = await aPost(author);
    const job = key.changes(post.postId);
    for (const status of ["planned", "started", "completed"]) {
      await setStatus(post, actor, { status });
      await carryOutAnnounced();
      vi.setSystemTime(Date.now() + 25_000);
      await handOver(sendNotices, job);
    }
    expect(service.subjects).toEqual([`Completed: ${post.title}`]);
  });

  it("has mails in the right order, whatever the order in which its events are announced", async () => {
    const author = await aReader();
    const actor = await aUser("moderator");
    const post = await aPost(author);
    for (const status of ["planned", "started"]) await setStatus(post, actor, { status });
    await setStatus(post, actor, { status: "open" });
    const { ids } = await findWaiting(announce);
    for (const eventId of ids.toReversed()) expect(await announce.carryOut(eventId, () => false)).toBe("done");
    expect(await subjects()).toEqual([]);
  });

  it("reaches each reader once while it changes again and again during the mailing, and never an older after a newer", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const readers = await Promise.all(Array.from({ length: 6 }, () => aReader()));
    const actor = await aUser("moderator");
    const post = await aPost(readers[0] as Person);
    for (const reader of readers.slice(1)) await aVote(post.postId, reader);
    const job = key.changes(post.postId);
    const heard: [reader: string, status: string][] = [];
    service.onTaken = () => {
      heard.push([service.taken.at(-1) ?? "", service.subjects.at(-1)?.split(":")[0] ?? ""]);
    };
    /** Tells one more reader of what holds. */
    const tellOne = () => sendNotices.carryOut(job.sk, () => true);
    const change = async (status: string) => {
      await setStatus(post, actor, { status });
      await carryOutAnnounced();
      vi.setSystemTime(Date.now() + COLLECTING_MS);
    };
    await change("planned");
    for (let n = 0; n < 3; n++) await tellOne();
    await change("started");
    for (let n = 0; n < 2; n++) await tellOne();
    vi.setSystemTime(Date.now() + COLLECTING_MS);
    for (let n = 0; n < 2; n++) await tellOne();
    await change("planned");
    await tellOne();
    vi.setSystemTime(Date.now() + COLLECTING_MS);
    for (let n = 0; n < 20; n++) await tellOne();
    const byReader = Object.values(Object.groupBy(heard, ([reader]) => reader)).map((all) =>
      all?.map(([, status]) => status),
    );
    expect(byReader).toHaveLength(6);
    // Each ends with what holds, and is told nothing twice in a row.
    for (const statuses of byReader) {
      expect(statuses?.at(-1)).toBe("Planned");
      expect(statuses?.filter((status, at) => status === statuses[at - 1])).toEqual([]);
    }
    expect(await due.waitingIds("NOTICES")).toEqual([]);
  });
});

describe("The letter with news", () => {
  it("holds the team's words escaped, a link to the post, the reason, and two ways to end such mails", async () => {
    const author = await aReader();
    const actor = await aUser("moderator");
    const post = await aPost(author, { title: `<b>${"long ".repeat(30)}` });
    await setStatus(post, actor, { status: "planned", text: "Soon <script>\nand safe" });
    const { to, subject, text, html, headers } = await theLetter();
    expect(to).toEqual(author.email);
    expect(subject).toEqual(`Planned: ${`<b>${"long ".repeat(30)}`.slice(0, 80)}…`);
    expect(text).toContain("> Soon <script>\n> and safe");
    expect(html).toContain("Soon &lt;script&gt;<br>\nand safe");
    expect(html).not.toMatch(/<script>|<b>/);
    expect(text).toContain(`/posts/${post.slug}\n\nYou get this email because you follow this post`);
    const [ofPost, ofAll] = [...text.matchAll(/unsubscribe\?token=(\S+)/g)].map(([, token]) => token);
    expect(headers["List-Unsubscribe"]).toMatch(new RegExp(`^<http://\\S+/api/v1/unsubscribe\\?token=${ofPost}>$`));
    expect(headers["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
    expect(headers["Auto-Submitted"]).toBe("auto-generated");
    success(await portal.unsubscribe(ofPost), 200);
    expect(await portal.isFollowing(post, author)).toBe(false);
    expect((await portal.mails(author)).status).toBe(true);
    success(await portal.unsubscribe(ofAll), 200);
    expect((await portal.mails(author)).status).toBe(false);
  });
});

describe("The mail of a comment", () => {
  it("leads to the comment, and has no link of its author", async () => {
    const author = await aReader();
    const actor = await aReader();
    await portal.chooseMails({ comments: true }, author);
    const post = await aPost(author, { title: "日本語" });
    const body = "**Look** at [this](https://evil.example)";
    const { activity } = success(await portal.comment(post, { body }, actor), 201);
    const { text, html } = await theLetter();
    const page = `/posts/${encodeURIComponent(post.slug)}#${activity.id}`;
    expect(text).toContain(`Open the post:\nhttp://localhost:3000${page}\n`);
    expect(html).toContain(
      `<a class="button" style="background: #484d7c; color: #ffffff" href="http://localhost:3000${page}">`,
    );
    expect(text.replaceAll("\u2060", "")).toContain("> Look at this (https://evil.example)");
    expect(html).toContain("<strong>Look</strong>");
    expect(`${text}${html}`).not.toContain("evil.example");
  });

  it("reaches the author of the post, unless the author has ended such mails", async () => {
    const author = await aReader();
    const first = await aReader();
    const post = await aPost(author);
    await aVote(post.postId, await aReader());
    await portal.comment(post, { body: "Why?" }, first);
    expect(await told()).toEqual(addressesOf(author));
    await portal.comment(post, { body: "Because" }, author);
    expect(await told()).toEqual([]);
    await portal.chooseMails({ ownPosts: false }, author);
    await portal.comment(post, { body: "I see" }, first);
    expect(await told()).toEqual([]);
    await portal.chooseMails({ ownPosts: true }, author);
    await portal.leave(post, author);
    await portal.comment(post, { body: "Still there?" }, first);
    expect(await told()).toEqual([]);
  });

  it("reaches readers who asked for comments, and the author of the answered comment", async () => {
    const author = await aReader();
    const asking = await aReader();
    const first = await aReader();
    const actor = await aReader();
    await portal.chooseMails({ ownPosts: false }, author);
    const post = await aPost(author);
    await aVote(post.postId, asking);
    await portal.chooseMails({ comments: true }, asking);
    const { activity } = success(await portal.comment(post, { body: "Me too" }, first), 201);
    expect(await told()).toEqual(addressesOf(asking));
    await portal.comment(post, { body: "Why?", parent_id: activity.id }, actor);
    expect(await told()).toEqual(addressesOf(asking, first));
  });

  it("reaches the post's author after any number of failures, once the author of the answered comment has it", async () => {
    newContainer({ RATE_LIMITS: "on" });
    const author = await aReader();
    const first = await aReader();
    const actor = await aReader();
    await portal.chooseMails({ comments: true }, author);
    const post = await aPost(author);
    const { activity } = success(await portal.comment(post, { body: "Me too" }, first), 201);
    await told();
    await portal.comment(post, { body: "Why?", parent_id: activity.id }, actor);
    await carryOutAll(announce);
    Object.assign(service, { taken: [], onTaken: () => Object.assign(service, { mood: "fail" }) });
    for (let n = 0; n < 6; n++) expect(await carryOutAll(sendNotices)).toBe(false);
    Object.assign(service, { mood: "take", onTaken: () => {} });
    expect(await carryOutAll(sendNotices)).toBe(true);
    expect(service.taken.toSorted()).toEqual(addressesOf(author, first));
  });

  it("reaches a reader five times an hour about one post, then once for the rest, beside news of the status", async () => {
    // An hour later it is more than a minute after the end of the hour, and the hour does not end while the test runs.
    vi.useFakeTimers({ toFake: ["Date"], now: Math.floor(Date.now() / 3_600_000) * 3_600_000 + 100_000 });
    onTestFinished(() => void vi.useRealTimers());
    newContainer({ RATE_LIMITS: "on" });
    const author = await aReader();
    const actor = await aReader();
    const owner = await aUser("owner");
    await portal.chooseMails({ comments: true }, author);
    const post = await aPost(author);
    const other = await aPost(author);
    const asking = await aReader();
    const own = success(await portal.comment(post, { body: "Mine" }, asking), 201).activity;
    for (let n = 0; n < 7; n++) await portal.comment(post, { body: `Comment ${n}`, parent_id: own.id }, actor);
    const last = (await portal.activity(post)).activity[0].id;
    await portal.comment(other, { body: "Elsewhere" }, actor);
    await setStatus(post, owner);
    await carryOutAll(announce);
    vi.setSystemTime(Date.now() + COLLECTING_MS);
    expect(await carryOutAll(sendNotices)).toBe(false);
    await handOver(sendNotices, ...(await due.waitingIds("NOTICES")).map(key.notice));
    await expectSound();
    expect(service.taken.toSorted()).toEqual([...Array(7).fill(author.email), ...Array(5).fill(asking.email)].sort());
    service.subjects = [];
    const params = { postId: post.postId, commentId: last };
    success(await invoke("comments-delete", { token: owner.token, params }), 204);
    expect(await told()).toEqual(addressesOf(asking, author));
    expect(service.subjects).toEqual(Array(2).fill(`More comments on ${post.title}`));
  });
});

const READERS = 15;

async function aPopularPost(): Promise<{ post: { postId: string }; readers: Person[] }> {
  const readers = await Promise.all(Array.from({ length: READERS }, () => aReader()));
  for (const reader of readers) await portal.chooseMails({ comments: true }, reader);
  const post = await aPost(readers[0] as Person);
  for (const reader of readers.slice(1)) await aVote(post.postId, reader);
  success(await portal.comment(post, { body: "Soon" }, await aUser("moderator")), 201);
  await carryOutAll(announce);
  return { post, readers };
}

describe("The mail of a new password", () => {
  it("waits for at most one slice of a mailing", async () => {
    const { readers } = await aPopularPost();
    const { email } = await anAccount("correct horse");
    const [eventId = ""] = await due.waitingIds("NOTICES");
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const takeASecond = () => vi.setSystemTime(Date.now() + 1000);
    service.onTaken = takeASecond;
    await handOver(sendNotices, key.notice(eventId));
    const lettersASlice = service.taken.length;
    expect(lettersASlice).toBe(4);
    // It waits for its second attempt, as late as a mail of the function can.
    const askedAt = lettersASlice + 2;
    service.onTaken = async () => {
      takeASecond();
      if (service.taken.length !== askedAt) return;
      await outbox.add({ to: email, template: "reset" });
      await due.retry({ queue: "OUTBOX", id: (await due.waitingIds("OUTBOX")).at(-1) ?? "" });
    };
    await send({});
    expect(service.taken).toHaveLength(readers.length + 1);
    expect(service.taken.indexOf(email) - askedAt).toBeLessThanOrEqual(lettersASlice);
  });
});

describe("The fan-out", () => {
  it("reaches every reader, wherever it dies, and at most one twice for each death", async () => {
    const { readers } = await aPopularPost();
    const [eventId = ""] = await due.waitingIds("NOTICES");
    const job = key.notice(eventId);
    let died = true;
    for (let call = 1; died; call += 3) {
      service.taken = [];
      await transact({ job: put(job, {}) });
      died = await cutAt(call, () => handOver(sendNotices, job));
      expect(await carryOutAll(sendNotices)).toBe(true);
      expect([...new Set(service.taken)].sort(), `cut at call ${call}`).toEqual(addressesOf(...readers));
      expect(service.taken.length - readers.length).toBeLessThanOrEqual(1);
    }
  });

  it("continues after a letter that could not be sent, and repeats no sent one", async () => {
    const { readers } = await aPopularPost();
    service.onTaken = () => {
      if (service.taken.length === 7) service.mood = "fail";
    };
    expect(await carryOutAll(sendNotices)).toBe(false);
    service.onTaken = () => {};
    service.mood = "take";
    expect(await carryOutAll(sendNotices)).toBe(true);
    expect(service.taken.toSorted()).toEqual(addressesOf(...readers));
  });

  it("reads the voters of popular posts in turns, so that comments leave the table to others", async () => {
    const author = await aReader();
    const last = await aReader();
    await portal.chooseMails({ ownPosts: false }, author);
    await portal.chooseMails({ comments: true }, last);
    const post = await aPost(author);
    await strangersVote(post.postId, 2 * PAGE);
    await aVote(post.postId, last);
    for (let n = 0; n < 3; n++) await portal.comment(post, { body: `Number ${n}` }, await aMember());
    await carryOutAll(announce);
    const jobs = await due.waitingIds("NOTICES");
    const start = Date.now();
    const outcomes = jobs.map((jobId) => sendNotices.carryOut(jobId, () => false));
    expect(await Promise.all(outcomes)).toEqual(["done", "done", "done"]);
    // Six turns, of which the first is at the beginning.
    expect(Date.now() - start).toBeGreaterThan(5 * 200 * 0.9);
    expect(service.taken).toEqual(Array(3).fill(last.email));
  });

  it("moves on in every attempt, also where the time is always over and many voted after the event", async () => {
    const { post, readers } = await aPopularPost();
    await strangersVote(post.postId, 2 * PAGE);
    const [eventId = ""] = await due.waitingIds("NOTICES");
    for (let n = 0; n < READERS; n++) expect(await sendNotices.carryOut(eventId, () => true)).toBe("more");
    expect(await sendNotices.carryOut(eventId, () => true)).toBe("done");
    expect(service.taken.toSorted()).toEqual(addressesOf(...readers));
  });

  it("continues after an address that the mail service rejects, with a warning that names the account alone", async () => {
    const poison = { ...newAccount(`poison.${newId()}@example.com`, "Poison", "member"), isVerified: true };
    await register(poison, "no password");
    const author = await aReader();
    const actor = await aUser("moderator");
    const post = await aPost(author);
    await aVote(post.postId, poison);
    await setStatus(post, actor);
    service.mood = "reject poison";
    expect(await told()).toEqual(addressesOf(author));
    const warnings = logLines.filter((line) => line.includes("a notice was refused"));
    expect(warnings.map((line) => JSON.parse(line))).toMatchObject([{ account: poison.userId }]);
  });
});
