import { beforeEach, describe, expect, it } from "vitest";
import { handler as deleteBoard } from "../../../functions/boards/delete.ts";
import { handler as bySlug } from "../../../functions/posts/by-slug.ts";
import { handler as deletePost } from "../../../functions/posts/delete.ts";
import { handler as list } from "../../../functions/posts/list.ts";
import { handler as setStatus } from "../../../functions/posts/set-status.ts";
import { handler as update } from "../../../functions/posts/update.ts";
import * as sweeps from "../../../lib/cleanup/sweeps.ts";
import * as due from "../../../lib/table/due.ts";
import { newId } from "../../../lib/values/ids.ts";
import { castAll } from "../../../lib/votes/voting.ts";
import { refusal, success } from "../../support/http/answers.ts";
import { invoke } from "../../support/http/invoke.ts";
import { freshTable } from "../../support/setup.ts";
import { expectSound } from "../../support/store/sound.ts";
import { aBoard, aMember, aPost, aRoadmap, aStranger, aUser, aVote } from "../../support/world/fixtures.ts";
import * as resource from "../../support/world/resources.ts";

const planned = { id: "planned", name: "Planned", color: "3b82f6", kind: "planned" };
const declined = { id: "declined", name: "Declined", color: "ef4444", kind: "declined" };

beforeEach(() => freshTable());

describe("PUT /posts/{postId}/status", () => {
  it("gives a post a status and the official response, which every answer with the post shows", async () => {
    const { token } = await aUser("moderator");
    const { postId, slug, updatedAt } = await aPost(await aMember());
    const started = Date.now();
    const put = (body: object) => invoke(setStatus, { token, params: { postId }, body });
    const { post } = success(await put({ status: "planned", text: "# Next month" }), 200);
    expect(post).toMatchObject({ postId, status: planned, response: { text: "# Next month", status: planned } });
    expect(Date.parse(post.response.respondedAt)).toBeGreaterThanOrEqual(started);
    expect(Date.parse(post.updatedAt)).toBeGreaterThan(updatedAt);
    const shown = { status: planned, response: post.response, updatedAt: post.updatedAt };
    expect((await invoke(bySlug, { body: { slug } })).body.post).toMatchObject(shown);
    expect((await invoke(list, { body: { status: "planned" } })).body.posts).toMatchObject([{ postId, ...shown }]);
    // Without a text the response stays, with the status that it was given with.
    const next = success(await put({ status: "declined" }), 200).post;
    expect(next).toMatchObject({ status: declined, response: post.response });
    for (const text of [null, "", " \n\u200b"]) {
      expect((await put({ status: "declined", text: "Sorry" })).body.post.response.status).toEqual(declined);
      expect((await put({ status: "declined", text })).body.post.response).toBeNull();
    }
    expect((await put({ status: "open" })).body.post.status).toEqual(resource.open);
    await expectSound();
  });

  it("answers the caller's own vote and the exact number of votes", async () => {
    const moderator = await aUser("moderator");
    const { postId } = await aPost(await aMember());
    await castAll(postId, Array.from({ length: 8 }, aStranger));
    const vote = await aVote(postId, moderator);
    const request = { token: moderator.token, params: { postId }, body: { status: "started" } };
    expect(success(await invoke(setStatus, request), 200).post.voters).toMatchObject({
      votesCount: 9,
      viewerVote: resource.viewerVote(postId, vote),
    });
  });

  it("writes nothing where nothing changes", async () => {
    const { token } = await aUser("moderator");
    const { postId } = await aPost(await aMember());
    const put = (body: object) => invoke(setStatus, { token, params: { postId }, body });
    const { post } = (await put({ status: "planned", text: "Soon" })).body;
    for (const body of [{ status: "planned" }, { status: "planned", text: "Soon" }]) {
      const again = await put(body);
      expect(again.body.post).toEqual(post);
      expect(again.calls.filter(({ inTransaction }) => inTransaction)).toEqual([]);
    }
  });

  it("is for moderators and owners; authors and others are refused", async () => {
    const author = await aMember();
    const { postId } = await aPost(author);
    for (const { token } of [author, await aMember(), await aUser("suspended")]) {
      const reply = await invoke(setStatus, { token, params: { postId }, body: { status: "planned" } });
      refusal(reply, "NOT_ENOUGH_PERMISSION");
    }
  });

  it("refuses unknown posts and statuses, and texts that are too long", async () => {
    const { token } = await aUser("owner");
    const { postId } = await aPost(await aMember());
    const put = (body: object, id = postId) => invoke(setStatus, { token, params: { postId: id }, body });
    for (const id of [newId(), "nonsense"]) refusal(await put({ status: "planned" }, id), "POST_NOT_FOUND");
    for (const status of ["unknown", "", "Planned", 7, ["planned"], "a"]) {
      refusal(await put({ status }), "STATUS_NOT_FOUND");
    }
    for (const body of [{}, { status: null }]) refusal(await put(body), "VALIDATION_ERROR", "body.status");
    refusal(await put({ status: "planned", text: "x".repeat(5_001) }), "VALIDATION_ERROR", "body.text");
    expect((await put({ status: "planned", text: "x".repeat(5_000) })).status).toBe(200);
  });

  it("keeps rows and counts when a post with a status moves, when its board is deleted, and when it is", async () => {
    const { token } = await aUser("owner");
    const { boardId } = await aBoard();
    const { roadmapId } = await aRoadmap();
    const { postId } = await aPost(await aMember(), { boardId });
    const put = (status: string) => invoke(setStatus, { token, params: { postId }, body: { status } });
    await put("planned");
    const found = async (filter: object): Promise<number> =>
      (await invoke(list, { body: { status: "planned", first: 5, ...filter } })).body.total_count;
    expect([await found({}), await found({ boardId }), await found({ roadmapId })]).toEqual([1, 1, 0]);
    await invoke(update, { token, body: { id: postId, roadmapId } });
    expect([await found({}), await found({ boardId }), await found({ roadmapId })]).toEqual([1, 1, 1]);
    expect(await found({ boardId, roadmapId })).toBe(1);
    await expectSound();
    await invoke(deleteBoard, { token, body: { boardId } });
    for (const name of await due.waitingIds("DELETED")) await sweeps.sweep(name);
    expect((await put("started")).status).toBe(200);
    await expectSound();
    expect((await invoke(deletePost, { token, body: { id: postId } })).status).toBe(204);
    await expectSound();
    expect(await found({})).toBe(0);
  });

  it("applies all of many changes at once, moves among them", async () => {
    const { token } = await aUser("owner");
    const boards = [(await aBoard()).boardId, (await aBoard()).boardId];
    const { roadmapId } = await aRoadmap();
    const made = await Promise.all([0, 1].map(async () => (await aPost(await aMember())).postId));
    const statuses = ["open", "planned", "started", "completed"];
    const replies = await Promise.all(
      Array.from({ length: 24 }, (_, n) => {
        const id = made[n % 2] as string;
        return n % 3 === 0
          ? invoke(update, { token, body: { id, boardId: boards[n % 4 < 2 ? 0 : 1], roadmapId } })
          : invoke(setStatus, { token, params: { postId: id }, body: { status: statuses[n % 4], text: `${n}` } });
      }),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(24).fill(200));
    await expectSound();
  });
});
