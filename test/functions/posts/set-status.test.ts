import { beforeEach, describe, expect, it } from "vitest";
import * as events from "../../../lib/events/events.ts";
import type { PostRecord } from "../../../lib/posts/posts.ts";
import { newId } from "../../../lib/values/ids.ts";
import { type Reply, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import * as world from "../../support/world/fixtures.ts";
import * as resource from "../../support/world/resources.ts";

const planned = { id: "planned", name: "Planned", color: "3b82f6", kind: "planned" };
const declined = { id: "declined", name: "Declined", color: "ef4444", kind: "declined" };

describe("PUT /posts/{postId}/status", () => {
  let owner: world.Person;
  let post: PostRecord;
  beforeEach(async () => {
    await freshTable();
    owner = await world.aUser("owner");
    post = await world.aPost(await world.aMember());
  });

  const put = async (body: object): Promise<Reply["body"]> =>
    success(await portal.setStatus(post, body, owner), 200).post;

  it("gives a post a status and the official response, which every answer with the post shows", async () => {
    const started = Date.now();
    const { response: given, status, updatedAt } = await put({ status: "planned", text: "# Next month" });
    const { by, ...response } = given;
    expect(by).toEqual(owner.userId);
    expect(status).toEqual(planned);
    expect(response).toMatchObject({ text: "# Next month", status: planned });
    expect(Date.parse(response.respondedAt)).toBeGreaterThanOrEqual(started);
    expect(Date.parse(updatedAt)).toBeGreaterThan(post.updatedAt);
    expect(await portal.shownPost(post)).toMatchObject({ status, response, updatedAt });
    expect(await portal.list({ status: "planned" })).toMatchObject([{ status, response, updatedAt }]);
    await expectSound();
  });

  it("keeps the response, with the status it was given with, where a text is absent", async () => {
    const { response } = await put({ status: "planned", text: "Soon" });
    expect(await put({ status: "declined" })).toMatchObject({ status: declined, response });
  });

  it.each([null, "", " \n\u200b"])("removes the response by the text %j", async (text) => {
    expect((await put({ status: "declined", text: "Sorry" })).response.status).toEqual(declined);
    expect((await put({ status: "declined", text })).response).toBeNull();
  });

  it("puts the post on a roadmap and takes it off, and leaves it there without one", async () => {
    const { roadmapId } = await world.aRoadmap({ name: "Planned" });
    const moved = await put({ status: "planned", text: "Soon", roadmapId });
    expect(moved).toMatchObject({ status: planned, response: { text: "Soon" }, roadmap: { id: roadmapId } });
    expect(await portal.ids({ roadmapId })).toEqual([post.postId]);
    expect(await put({ status: "declined" })).toMatchObject({ roadmap: { id: roadmapId } });
    expect(await put({ status: "declined", roadmapId: null })).toMatchObject({ roadmap: null });
    expect(await portal.ids({ roadmapId })).toEqual([]);
    await expectSound();
  });

  it("changes nothing where no roadmap has the id", async () => {
    const body = { status: "planned", text: "Soon", roadmapId: newId() };
    refusal(await portal.setStatus(post, body, owner), "ROADMAP_ID_OR_URL_MISSING");
    expect(await portal.shownPost(post)).toMatchObject({ status: { id: "open" }, response: null });
  });

  it("tells of another roadmap alone as of any other change, for which nobody gets a mail", async () => {
    const { roadmapId } = await world.aRoadmap();
    await put({ status: "open", roadmapId });
    expect(await events.latest("post.updated", 1)).toMatchObject([{ postId: post.postId, changed: ["roadmapId"] }]);
    expect(await events.latest("post.status_changed", 1)).toEqual([]);
  });

  it("answers the caller's own vote and the exact number of votes", async () => {
    await world.strangersVote(post.postId, 8);
    const vote = await world.aVote(post.postId, owner);
    const viewerVote = resource.viewerVote(post.postId, vote);
    expect((await put({ status: "started" })).voters).toMatchObject({ votesCount: 9, viewerVote });
  });
});
