import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { work as announce } from "../../../functions/background/announce.ts";
import { work as sendNotices } from "../../../functions/background/send-notices.ts";
import { tokensOf } from "../../../lib/accounts/unsubscribe-tokens.ts";
import { countNews, NEWS_TO_READER } from "../../../lib/mail/bounds.ts";
import { contentFor, DigestItem, HOUR_MS, nextRound } from "../../../lib/notices/digest.ts";
import { setAlone } from "../../../lib/table/changes.ts";
import * as due from "../../../lib/table/due.ts";
import { key } from "../../../lib/table/keys.ts";
import { carryOutAll, handOver, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { type MailService, startMailService } from "../../support/process/mail-service.ts";
import { expectSound, freshTable, newContainer } from "../../support/setup.ts";
import { cutAt, Killed, overtaken } from "../../support/store/faults.ts";
import { aComment, anOwner, aPost, aReader, aUser, type Person } from "../../support/world/fixtures.ts";
import { aCommentReport, aReport, setPolicy } from "../../support/world/held.ts";

let service: MailService;
let owner: Person;
let member: Person;
/** The letters of a test: to whom, when, and their texts. */
let letters: { to: string; at: number; subject: string; text: string }[];

beforeAll(async () => {
  service = await startMailService();
});

function noteLetter(): void {
  const to = service.taken.at(-1) ?? "";
  const subject = service.subjects.at(-1) ?? "";
  const text = service.texts.at(-1) ?? "";
  letters.push({ to, at: Date.now(), subject, text });
}

beforeEach(async () => {
  await freshTable();
  newContainer({ RATE_LIMITS: "", MAIL_TRANSPORT: "ses", MAIL_FROM: "a@example.com", NOTICES_PER_SECOND: "1000000" });
  // Bounds are for a day of UTC: what takes hours begins in the morning of one.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 15, 6) });
  onTestFinished(() => void vi.useRealTimers());
  letters = [];
  Object.assign(service, { mood: "take", taken: [], subjects: [], texts: [], attempts: 0, onTaken: noteLetter });
  owner = await anOwner();
  member = await aReader();
  await setPolicy({ posts: "all", comments: "all" });
});

async function choose(...people: Person[]): Promise<void> {
  for (const each of people) success(await portal.chooseMails({ digest: true }, each), 200);
}

async function hold(title: string): Promise<string> {
  const { post, held } = success(await portal.post({ title }, member), 201);
  expect(held).toBe(true);
  return post.postId;
}

/** Holds two comments of each of as many people, on a post of the owner. Returns their ids, the oldest first. */
async function holdComments(people: number): Promise<string[]> {
  const post = await aPost(owner);
  const ids: string[] = [];
  for (let n = 0; n < people; n++) {
    const by = await aReader();
    for (const body of [`One of ${n}`, `Two of ${n}`]) {
      const { activity, held } = success(await portal.comment(post, { body }, by), 201);
      expect(held).toBe(true);
      ids.push(activity.comment.id);
    }
  }
  return ids;
}

async function decide(decision: string, ...ids: string[]): Promise<void> {
  success(await portal.decide(decision, ids, owner), 200);
}

/** The job of the digest, if there is one; tests leave other jobs of news too. */
async function jobs(): Promise<string[]> {
  return (await due.waitingIds("NOTICES")).filter((id) => id === key.digest().sk);
}

const attempt = () => handOver(sendNotices, key.digest());

/** Lets an hour go by, and one attempt. Returns its letters: to whom, and their subjects. */
async function anHourLater(): Promise<string[]> {
  const before = letters.length;
  expect(await carryOutAll(announce)).toBe(true);
  vi.setSystemTime(Date.now() + HOUR_MS + 60_000);
  await attempt();
  await expectSound();
  return letters.slice(before).map(({ to, subject }) => `${to}: ${subject}`);
}

const ONE = "Something waits for your decision on Wishes";

describe("The digest", () => {
  it("is off until a person of the team chooses it, and costs no job until then", async () => {
    for (const person of [owner, member]) expect((await portal.mails(person)).digest).toBe(false);
    await choose(member);
    expect((await portal.mails(member)).digest).toBe(false);
    await hold("A dark mode");
    expect(await carryOutAll(announce)).toBe(true);
    expect(await jobs()).toEqual([]);
  });

  it("lists what came in an hour: held and reported posts and comments, on the page where they are decided", async () => {
    const moderator = await aReader("moderator");
    await choose(moderator);
    const post = await aPost(owner, { title: "See evil.example" });
    const comment = await aComment(post.postId, owner, { body: "**Buy** at https://evil.example" });
    await hold("A dark mode");
    success(await portal.comment(post, { body: "# Me\n\nas *well*" }, member), 201);
    await aReport(post, member);
    await aCommentReport({ ...post, commentId: comment.commentId }, member, "Spam");
    expect(await anHourLater()).toEqual([`${moderator.email}: 4 things wait for your decision on Wishes`]);
    const { text } = letters[0] as { text: string };
    const shown = text.replaceAll("\u2060", "");
    expect(shown).toContain("- New post: A dark mode\n");
    expect(shown).toContain("- New comment: Me as well\n");
    expect(shown).toContain("- Reported post: See evil.example\n");
    expect(shown).toContain("- Reported comment: Buy at https://evil.example\n");
    expect(shown).toContain("http://localhost:3000/manage/queue\n");
    // No mail program makes a link of what a stranger wrote.
    expect(text).not.toContain("evil.example");
    expect(await jobs()).toEqual([]);
  });

  it("comes an hour after the first thing, and tells nothing twice", async () => {
    await choose(owner);
    await hold("First");
    expect(await carryOutAll(announce)).toBe(true);
    vi.setSystemTime(Date.now() + HOUR_MS - 1000);
    await hold("Second");
    expect(await carryOutAll(announce)).toBe(true);
    await attempt();
    expect(letters).toEqual([]);
    vi.setSystemTime(Date.now() + 1000);
    await attempt();
    expect(letters.map(({ subject }) => subject)).toEqual(["2 things wait for your decision on Wishes"]);
    await hold("Third");
    expect(await anHourLater()).toEqual([`${owner.email}: ${ONE}`]);
    expect(letters[1]?.text).toContain("Third");
    expect(letters[1]?.text).not.toContain("First");
  });

  it("tells of a report once, until the team has decided and another person reports it", async () => {
    await choose(owner);
    const post = await aPost(owner);
    await aReport(post, member);
    expect(await anHourLater()).toHaveLength(1);
    await aReport(post, await aReader());
    expect(await anHourLater()).toEqual([]);
    await decide("approve", post.postId);
    await aReport(post, await aReader());
    expect(await anHourLater()).toHaveLength(1);
  });

  it("does not come if all was decided meanwhile, and leaves out what was", async () => {
    await choose(owner);
    const one = await hold("One");
    const two = await hold("Two");
    await decide("approve", one);
    await decide("decline", two);
    expect(await anHourLater()).toEqual([]);
    const three = await hold("Three");
    await hold("Four");
    await decide("decline", three);
    expect(await anHourLater()).toEqual([`${owner.email}: ${ONE}`]);
    expect(letters[0]?.text).toContain("New post: Four");
    expect(await jobs()).toEqual([]);
  });

  it("goes to nobody who is unconfirmed, lost the role, is suspended, or left", async () => {
    const people = await Promise.all(["moderator", "moderator", "moderator"].map(() => aReader("moderator")));
    const [demoted, suspended, left] = people as [Person, Person, Person];
    const unconfirmed = await aUser("moderator");
    await choose(unconfirmed, ...people);
    await hold("A dark mode");
    await portal.changeRole(demoted, "member", owner);
    await portal.changeRole(suspended, "suspended", owner);
    const token = (await tokensOf(left.userId))("digest");
    expect(await portal.openLink("open", token)).toContain("You get emails from Wishes about what waits for the team.");
    expect(await portal.openLink("press", token)).toContain("You will get no more emails from Wishes about what waits");
    expect(await portal.mails(left)).toMatchObject({ digest: false, status: true });
    expect(await anHourLater()).toEqual([]);
  });

  it("ends with all mails", async () => {
    await choose(owner);
    success(await portal.unsubscribe((await tokensOf(owner.userId))("all")), 200);
    expect((await portal.mails(owner)).digest).toBe(false);
    await hold("A dark mode");
    expect(await anHourLater()).toEqual([]);
  });

  it("lists twenty, counts fifty, and says that there are more", async () => {
    await choose(owner);
    await holdComments(26);
    expect(await anHourLater()).toEqual([`${owner.email}: At least 50 things wait for your decision on Wishes`]);
    expect(letters[0]?.text.match(/^- New comment: /gm)).toHaveLength(20);
    expect(letters[0]?.text).toContain("There is more on the page.");
    expect(await jobs()).toEqual([]);
  });

  it("is about the queue if more than fifty things came, whichever of them were decided", async () => {
    await choose(owner);
    const ids = await holdComments(27);
    expect(await carryOutAll(announce)).toBe(true);
    for (let n = 0; n < 52; n += 20) await decide("decline", ...ids.slice(n, Math.min(n + 20, 52)));
    expect(await anHourLater()).toEqual([`${owner.email}: 2 things wait for your decision on Wishes`]);
    expect(letters[0]?.text).toContain("New comment: Two of 26");
    expect(await jobs()).toEqual([]);
  });

  it("owes a letter about the queue to a reader whose letter may have left", async () => {
    await choose(owner);
    await holdComments(26);
    service.mood = "fail";
    expect(await anHourLater()).toEqual([]);
    service.mood = "take";
    await attempt();
    expect(await anHourLater()).toEqual([`${owner.email}: At least 50 things wait for your decision on Wishes`]);
    expect(await jobs()).toEqual([]);
  });

  it("tells in the next hour of things that come while letters leave", async () => {
    await choose(owner);
    await hold("Before");
    await carryOutAll(announce);
    vi.setSystemTime(Date.now() + HOUR_MS);
    service.onTaken = async () => {
      noteLetter();
      service.onTaken = noteLetter;
      await hold("Meanwhile");
      await carryOutAll(announce);
    };
    await attempt();
    vi.setSystemTime(Date.now() + HOUR_MS - 1000);
    await attempt();
    expect(letters).toHaveLength(1);
    vi.setSystemTime(Date.now() + 1000);
    await attempt();
    expect(letters.map(({ text }) => /New post: (\w+)/.exec(text)?.[1])).toEqual(["Before", "Meanwhile"]);
    expect(await jobs()).toEqual([]);
  });

  it("takes in a thing that comes between its reading of the job and its letters", async () => {
    await choose(owner);
    await hold("First");
    await carryOutAll(announce);
    vi.setSystemTime(Date.now() + HOUR_MS);
    const begins = ({ input }: { input: object }) => JSON.stringify(input).includes("isLeaving = :isLeaving");
    await overtaken(
      attempt,
      async () => {
        await hold("Second");
        await carryOutAll(announce);
      },
      begins,
    );
    await attempt();
    expect(letters.map(({ subject }) => subject)).toEqual(["2 things wait for your decision on Wishes"]);
  });

  it("owes a reader with too many mails today what came, and nobody else", async () => {
    const moderator = await aReader("moderator");
    await choose(owner, moderator);
    newContainer({ RATE_LIMITS: "on" });
    for (let n = 0; n < NEWS_TO_READER; n++) await countNews({ user: moderator, by: "x", isOfTeam: true });
    await hold("A dark mode");
    expect(await anHourLater()).toEqual([`${owner.email}: ${ONE}`]);
    expect(await anHourLater()).toEqual([]);
    vi.setSystemTime(Date.now() + 24 * HOUR_MS);
    expect(await anHourLater()).toEqual([`${moderator.email}: ${ONE}`]);
    expect(await jobs()).toEqual([]);
  });

  it("passes over a reader to whom a round is owed, also after a pause", async () => {
    const moderator = await aReader("moderator");
    await choose(owner, moderator);
    await hold("A dark mode");
    await carryOutAll(announce);
    // As a round leaves it that had to wait for all news of the day, behind a reader with too many mails.
    const [first, second] = [owner, moderator].sort((a, b) => (a.userId < b.userId ? -1 : 1)) as [Person, Person];
    await setAlone(key.digest(), { isLeaving: true, missed: [first.userId] });
    expect(await anHourLater()).toEqual([`${second.email}: ${ONE}`]);
    expect(await anHourLater()).toEqual([`${first.email}: ${ONE}`]);
    expect(await jobs()).toEqual([]);
  });

  it("is owed for the next hour to a reader whose letter may have left", async () => {
    await choose(owner);
    await hold("A dark mode");
    service.mood = "fail";
    expect(await anHourLater()).toEqual([]);
    service.mood = "take";
    await attempt();
    expect(letters).toEqual([]);
    await hold("An export");
    expect(await anHourLater()).toEqual([`${owner.email}: 2 things wait for your decision on Wishes`]);
    expect(await jobs()).toEqual([]);
  });

  it("is owed with what came again, also where it came to another reader first", () => {
    const job = { ids: ["again"], at: 0, before: ["again", "other"], owed: {}, later: [], place: "", missed: ["b"] };
    const next = DigestItem.parse(nextRound(job));
    expect(contentFor("b", next)).toEqual(["again"]);
  });

  it("goes once to each reader, if two attempts run at the same time", async () => {
    const readers = [owner, await aReader("moderator"), await aReader("moderator")];
    await choose(...readers);
    await hold("A dark mode");
    await carryOutAll(announce);
    vi.setSystemTime(Date.now() + HOUR_MS);
    const isNote = ({ input }: { input: object }) => JSON.stringify(input).includes("#writing = :writing");
    await overtaken(attempt, attempt, isNote);
    expect(letters.map(({ to }) => to).sort()).toEqual(readers.map(({ email }) => email).sort());
  });
});

/** The shortest time between two letters to one reader. */
function shortestBreak(): number {
  const breaks = [...Map.groupBy(letters, ({ to }) => to).values()].flatMap((ofReader) =>
    ofReader.slice(1).map(({ at }, n) => at - (ofReader[n]?.at ?? 0)),
  );
  return Math.min(...breaks, Number.POSITIVE_INFINITY);
}

describe.each([
  ["the store fails", undefined],
  ["the process is killed", () => new Killed()],
  ["the process is killed after the call", () => "die" as const],
])("The digest, while %s", (_, fault) => {
  it("tells everybody everything, and nobody twice within an hour, at whichever call it is", async () => {
    const readers = [owner, await aReader("moderator"), await aReader("moderator")];
    await choose(...readers);
    for (let call = 1, isCut = true; isCut; call++) {
      letters = [];
      const title = `Wish ${call} of the people`;
      const id = await hold(title);
      await carryOutAll(announce);
      vi.setSystemTime(Date.now() + HOUR_MS);
      isCut = await cutAt(call, () => attempt().catch(() => {}), fault);
      for (let hour = 0; hour < 3; hour++) {
        // Attempts follow until nothing more can leave in this hour.
        for (let n = 0; n < 3; n++) await attempt();
        vi.setSystemTime(Date.now() + HOUR_MS + 60_000);
      }
      expect(await jobs(), title).toEqual([]);
      for (const { email } of readers) {
        const told = letters.filter(({ to, text }) => to === email && text.includes(title));
        expect(told.length, title).toBeGreaterThan(0);
        expect(told.length, title).toBeLessThanOrEqual(2);
      }
      // One letter at most was in doubt.
      expect(letters.length, title).toBeLessThanOrEqual(readers.length + 1);
      expect(shortestBreak()).toBeGreaterThanOrEqual(HOUR_MS);
      await decide("decline", id);
    }
    await expectSound();
  });

  it("misses nothing that comes, at whichever call its announcement is cut off", async () => {
    await choose(owner);
    for (let call = 1, isCut = true; isCut; call++) {
      letters = [];
      const title = `Wish ${call} of the people`;
      const id = await hold(title);
      const [newsId = ""] = await due.waitingIds("NEWS");
      isCut = await cutAt(call, () => handOver(announce, key.news(newsId)).catch(() => {}), fault);
      await anHourLater();
      expect(
        letters.filter(({ text }) => text.includes(title)),
        title,
      ).toHaveLength(1);
      await decide("decline", id);
    }
  });
});
