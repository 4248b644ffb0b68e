import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { read } from "../../../lib/events/events.ts";
import { cursorOf } from "../../../lib/http/pages.ts";
import { SETTLE_MS } from "../../../lib/table/settling.ts";
import { invoke, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { freshTable } from "../../support/setup.ts";
import { overtaken } from "../../support/store/faults.ts";
import { aComment, aMember, aPost, aUser, type Person } from "../../support/world/fixtures.ts";

const DAY = 86_400_000;

let owner: Person;
let author: Person;

// Ids never go back, so the clock does not either.
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] }));
beforeEach(async () => {
  await freshTable();
  owner = await aUser("owner");
  author = await aMember();
  wait();
});
afterAll(() => void vi.useRealTimers());

async function page(query: Record<string, string> = {}) {
  return success(await invoke("events-list", { token: owner.token, query }), 200);
}

/** Lets everything settle. */
function wait(): void {
  vi.setSystemTime(Date.now() + SETTLE_MS + 1);
}

describe("GET /events", () => {
  it("lists each change once, oldest first", async () => {
    const { post } = success(await portal.post({ title: "Dark mode" }, author), 201);
    const status = { status: "planned", text: "Soon" };
    success(await portal.setStatus(post, status, owner), 200);
    success(await portal.deletePost(post, author), 204);
    expect((await page()).events).toHaveLength(2);
    wait();
    const { events, page_info } = await page();
    expect(page_info).toMatchObject({ count: 5, has_next_page: false });
    const { postId } = post;
    const planned = { from: { id: "open" }, to: { id: "planned" }, changed: ["response"] };
    expect(events).toMatchObject([
      { type: "user.created", userId: owner.userId },
      { type: "user.created", userId: author.userId, by: author.userId, eventId: author.userId },
      { type: "post.created", postId, by: author.userId, eventId: postId, createdAt: post.createdAt },
      { type: "post.status_changed", postId, by: owner.userId, ...planned },
      { type: "post.deleted", postId, by: author.userId },
    ]);
  });

  it("continues where the caller stopped, also after an empty page", async () => {
    const first = await page({ first: "1" });
    expect(first.page_info).toMatchObject({ count: 1, has_next_page: true });
    const second = await page({ after: first.page_info.end_cursor });
    expect(second.events).toMatchObject([{ userId: author.userId }]);
    const { postId: fresh } = await aPost(author);
    const ahead = cursorOf([fresh]);
    expect(await page({ after: ahead })).toMatchObject({ events: [], page_info: { count: 0, end_cursor: ahead } });
    wait();
    expect((await page({ after: second.page_info.end_cursor })).events).toMatchObject([{ postId: fresh }]);
    const empty = await page({ after: ahead });
    expect(empty.page_info).toEqual({ count: 0, has_next_page: false, end_cursor: ahead });
    const { postId } = await aPost(author);
    wait();
    expect((await page({ after: empty.page_info.end_cursor })).events).toMatchObject([{ postId }]);
  });

  it("lists events of some types", async () => {
    const { postId } = await aPost(author);
    const { commentId } = await aComment(postId, author);
    wait();
    const { events } = await page({ types: "Comment.Created,post.deleted" });
    expect(events).toMatchObject([{ type: "comment.created", postId, commentId }]);
    refusal(await invoke("events-list", { token: owner.token, query: { types: "vote" } }), "VALIDATION_ERROR");
  });

  it("gives a short page that says so where many events have other types", async () => {
    const { postId } = await aPost(author);
    for (let n = 0; n < 505; n++) await aComment(postId, author);
    const last = await aPost(author);
    wait();
    const before = await page({ types: "post.created" });
    const rest = await page({ types: "post.created", after: before.page_info.end_cursor });
    expect(before).toMatchObject({ events: [{ postId }], page_info: { has_next_page: true } });
    expect(rest).toMatchObject({ events: [{ postId: last.postId }], page_info: { has_next_page: false } });
  });

  it("misses no change whose transaction commits late", async () => {
    const polled = async () => (await read(new Set(["post.created"]), 100)).events.map(({ eventId }) => eventId);
    const { slow, fast } = await overtaken(
      () => portal.post({ title: "First, and late" }, author),
      async () => {
        const quick = success(await portal.post({ title: "Second" }, author), 201);
        return { quick, seen: await polled() };
      },
    );
    expect(fast.seen).toEqual([]);
    wait();
    expect(await polled()).toEqual([success(slow, 201).post.postId, fast.quick.post.postId]);
  });

  it("forgets events after 30 days", async () => {
    await aPost(author, { at: Date.now() - 31 * DAY });
    const { postId } = await aPost(author, { at: Date.now() - 29 * DAY });
    expect((await page({ types: "post.created" })).events).toMatchObject([{ postId }]);
  });
});
