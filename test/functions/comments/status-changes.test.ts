import { beforeEach, describe, expect, it } from "vitest";
import { success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound } from "../../support/setup.ts";
import { aComment, aMember, aPost, aUser, type Person } from "../../support/world/fixtures.ts";

let author: Person;
let moderator: Person;
let postId: string;

beforeEach(async () => {
  author = await aMember();
  moderator = await aUser("moderator");
  postId = (await aPost(author)).postId;
});

async function setStatus(status: string, text?: string): Promise<void> {
  success(await portal.setStatus({ postId }, { status, text }, moderator), 200);
}

function listed(query: Record<string, string>, by?: Person) {
  return portal.activity({ postId }, by, query);
}

const planned = { type: "status", from: { id: "open" }, to: { id: "planned", name: "Planned" } };
const started = { type: "status", from: { id: "planned" }, to: { id: "started" } };

describe("GET /posts/{postId}/activity with type", () => {
  it("lists changes of the status among the comments, newest first, page by page", async () => {
    const first = await aComment(postId, author);
    await setStatus("planned", "Next month");
    await setStatus("planned", "In two months");
    const second = await aComment(postId, author);
    await setStatus("started");
    await expectSound();
    const comment = (id: string) => ({ type: "comment", id });
    const all = [started, comment(second.commentId), planned, comment(first.commentId)];
    const both = { type: "comment,status" };
    expect(await listed(both)).toMatchObject({ activity: all, total_count: 4 });
    expect((await listed({ ...both, limit: "2", page: "2" })).activity).toMatchObject(all.slice(2));
    const pages = await portal.walk((cursor) => listed({ ...both, first: "1", ...cursor }));
    expect(pages.flatMap(({ activity }) => activity)).toMatchObject(all);
  });

  it("lists comments alone by default, and changes of the status alone", async () => {
    const { commentId } = await aComment(postId, author);
    await setStatus("planned");
    expect(await listed({})).toMatchObject({ activity: [{ id: commentId }], total_count: 1 });
    expect(await listed({ type: "status" })).toMatchObject({ activity: [planned], total_count: 1 });
  });

  it("tells moderators alone who changed the status", async () => {
    await setStatus("planned");
    const [forAuthor] = (await listed({ type: "status" }, author)).activity;
    const [forModerator] = (await listed({ type: "status" }, moderator)).activity;
    expect(JSON.stringify(forAuthor)).not.toContain(moderator.userId);
    expect(forModerator).toMatchObject({ by: moderator.userId });
  });

  it("counts each change that moderators make in parallel", async () => {
    const statuses = ["planned", "started", "completed", "declined"];
    await Promise.all(statuses.map((status) => setStatus(status)));
    const { activity, total_count } = await listed({ type: "status" });
    expect([activity.length, total_count]).toEqual([4, 4]);
    await expectSound();
  });
});
