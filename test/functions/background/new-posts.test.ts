import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { work as announce } from "../../../functions/background/announce.ts";
import { work as sendNotices } from "../../../functions/background/send-notices.ts";
import { tokensOf } from "../../../lib/accounts/unsubscribe-tokens.ts";
import { QUARTER_MS } from "../../../lib/notices/new-posts.ts";
import * as due from "../../../lib/table/due.ts";
import { key } from "../../../lib/table/keys.ts";
import { carryOutAll, handOver, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { type MailService, startMailService } from "../../support/process/mail-service.ts";
import { expectSound, freshTable, newContainer } from "../../support/setup.ts";
import { overtaken, withFaults } from "../../support/store/faults.ts";
import { aBoard, anOwner, aReader, type Person } from "../../support/world/fixtures.ts";
import { aHeldPost } from "../../support/world/held.ts";

let service: MailService;
let owner: Person;
let member: Person;

beforeAll(async () => {
  service = await startMailService();
});

beforeEach(async () => {
  await freshTable();
  newContainer({ RATE_LIMITS: "", MAIL_TRANSPORT: "ses", MAIL_FROM: "a@example.com", NOTICES_PER_SECOND: "1000000" });
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  Object.assign(service, { mood: "take", taken: [], subjects: [], attempts: 0, onTaken: () => {} });
  owner = await anOwner();
  member = await aReader();
});

const post = (title: string, by: Person, more = {}) => portal.post({ title, ...more }, by);

const tellReaders = () => handOver(sendNotices, key.newPosts());

async function approve({ id }: { id: string }): Promise<void> {
  success(await portal.decide("approve", [id], owner), 200);
}

/** The subjects of the mails after a quarter of an hour, with their readers. */
async function told(): Promise<string[]> {
  service.taken = [];
  service.subjects = [];
  expect(await carryOutAll(announce)).toBe(true);
  vi.setSystemTime(Date.now() + QUARTER_MS);
  await handOver(sendNotices, key.newPosts());
  await expectSound();
  return service.taken.map((to, at) => `${to}: ${service.subjects[at]}`).sort();
}

describe("The mail about new posts", () => {
  it("goes to the owner, and to moderators who chose it, once for a quarter of an hour", async () => {
    const moderator = await aReader("moderator");
    const other = await aReader("moderator");
    success(await portal.chooseMails({ newPosts: true }, moderator), 200);
    success(await portal.chooseMails({ newPosts: true }, member), 200);
    for (const title of ["A dark mode", "An export", "A map"]) success(await post(title, member), 201);
    const subject = "New posts: A map and others";
    expect(await told()).toEqual([`${moderator.email}: ${subject}`, `${owner.email}: ${subject}`].sort());
    expect(await due.waitingIds("NOTICES")).toEqual([]);
    expect((await portal.mails(other)).newPosts).toBe(false);
    expect((await portal.mails(member)).newPosts).toBe(false);
    success(await post("Another", member), 201);
    success(await portal.chooseMails({ newPosts: false }, moderator), 200);
    expect(await told()).toEqual([`${owner.email}: A new post: Another`]);
  });

  it("names a post once that was held after another one and approved within the quarter", async () => {
    success(await post("Mine", owner), 201);
    await approve(await aHeldPost(member, { title: "Held" }));
    expect(await told()).toEqual([`${owner.email}: A new post: Held`]);
  });

  it("names a post that is approved while the letters are being written", async () => {
    success(await post("First", member), 201);
    const held = await aHeldPost(member, { title: "Held" });
    await carryOutAll(announce);
    vi.setSystemTime(Date.now() + QUARTER_MS);
    await overtaken(
      tellReaders,
      async () => {
        await approve(held);
        await carryOutAll(announce);
      },
      ({ input }) => "Key" in input && JSON.stringify(input).includes("upTo"),
    );
    expect(await told()).toContain(`${owner.email}: New posts: Held and others`);
  });

  it("names a post that is approved in the moment in which the next quarter begins", async () => {
    const held = await aHeldPost(member, { title: "Held" });
    success(await post("First", member), 201);
    await carryOutAll(announce);
    vi.setSystemTime(Date.now() + QUARTER_MS);
    const sets = (name: string, input: object) => "Key" in input && JSON.stringify(input).includes(`"${name}"`);
    // The process ends after the last letter, and a further post comes.
    await withFaults(({ input }) => (sets("place", input) ? "die" : "none"), tellReaders);
    success(await post("Second", member), 201);
    await carryOutAll(announce);
    await overtaken(
      tellReaders,
      async () => {
        await approve(held);
        await carryOutAll(announce);
      },
      ({ input }) => sets("after", input),
    );
    await tellReaders();
    expect(await told()).toContain(`${owner.email}: New posts: Second and others`);
  });

  it("waits for a quarter of an hour after the first post", async () => {
    success(await post("First", member), 201);
    await carryOutAll(announce);
    vi.setSystemTime(Date.now() + QUARTER_MS - 1000);
    success(await post("Second", member), 201);
    await carryOutAll(announce);
    await handOver(sendNotices, key.newPosts());
    expect(service.taken).toEqual([]);
    vi.setSystemTime(Date.now() + 1000);
    await handOver(sendNotices, key.newPosts());
    expect(service.subjects).toEqual(["New posts: Second and others"]);
  });

  it("mails nobody about own posts, and only the team about posts on hidden boards", async () => {
    const moderator = await aReader("moderator");
    await portal.chooseMails({ newPosts: true }, moderator);
    const { boardId } = await aBoard({ display: false });
    success(await post("Mine", owner, { boardId }), 201);
    expect(await told()).toEqual([`${moderator.email}: A new post: Mine`]);
  });

  it("goes to nobody without a confirmed address or the role, and not about deleted posts", async () => {
    const moderator = await aReader("moderator");
    await portal.chooseMails({ newPosts: true }, moderator);
    await portal.changeRole(moderator, "member", owner);
    const { postId } = success(await post("Gone", member), 201).post;
    success(await portal.deletePost({ postId }, member), 204);
    expect(await told()).toEqual([]);
    success(await post("Here", member), 201);
    expect(await told()).toEqual([`${owner.email}: A new post: Here`]);
  });

  it("ends by its link, and no other mail with it", async () => {
    const token = (await tokensOf(owner.userId))("new-posts");
    expect(await portal.openLink("open", token)).toContain("You get emails from Wishes about new posts");
    expect(await portal.openLink("press", token)).toContain("You will get no more emails from Wishes about new posts");
    expect(await portal.mails(owner)).toMatchObject({ newPosts: false, status: true });
    success(await post("Unheard", member), 201);
    expect(await told()).toEqual([]);
  });
});
