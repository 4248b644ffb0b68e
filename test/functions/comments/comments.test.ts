import { beforeEach, describe, expect, it } from "vitest";
import { groups } from "../../../functions/index.ts";
import { scan } from "../../../infra/operator/check-table/check.ts";
import * as sweeps from "../../../lib/cleanup/sweeps.ts";
import { grantsOf } from "../../../lib/http/definition.ts";
import type * as resources from "../../../lib/http/resources.ts";
import * as posts from "../../../lib/posts/posts.ts";
import * as due from "../../../lib/table/due.ts";
import { atOnce, invoke, type Reply, refusal, success, tally } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { writesIn } from "../../support/store/calls.ts";
import { overtaken } from "../../support/store/faults.ts";
import { aComment, aMember, aPost, aUser, type Person } from "../../support/world/fixtures.ts";
import * as resource from "../../support/world/resources.ts";

const BOTH = { visibility: "public,internal" };

let author: Person;
let moderator: Person;
let post: posts.PostRecord;
let postId: string;

beforeEach(async () => {
  await freshTable();
  author = await aMember();
  moderator = await aUser("moderator");
  post = await aPost(author);
  ({ postId } = post);
});

async function comment(body: object, by: Person): Promise<resources.Activity> {
  return success(await portal.comment(post, body, by), 201).activity;
}

function change(commentId: string, body: object, by: Person) {
  return invoke("comments-update", { token: by.token, params: { postId, commentId }, body });
}

async function changed(commentId: string, body: object, by: Person): Promise<resources.Comment> {
  return success(await change(commentId, body, by), 200).comment;
}

function read(commentId: string, by?: Person, of = postId) {
  return invoke("comments-by-id", { token: by?.token, params: { postId: of, commentId } });
}

function remove(commentId: string, by: Person) {
  return invoke("comments-delete", { token: by.token, params: { postId, commentId } });
}

async function bodies(by?: Person, query: Record<string, string> = {}): Promise<string[]> {
  const { activity } = await portal.activity(post, by, query);
  return activity.map((each: resources.Activity) => each.comment.body);
}

async function count(): Promise<number> {
  return (await portal.shownPost(post)).commentsCount;
}

describe("POST /posts/{postId}/comments", () => {
  it("answers every field of the comment", async () => {
    const first = await comment({ body: "First", is_internal: false }, author);
    expect(first).toStrictEqual({
      id: expect.any(String),
      type: "comment",
      created_at: expect.any(String),
      author: resource.author(author),
      comment: {
        id: first.id,
        parent_id: null,
        body: "First",
        is_internal: false,
        is_edited: false,
        is_spam: false,
        created_at: first.created_at,
        updated_at: first.created_at,
      },
    });
    expect(await portal.activity(post)).toMatchObject({ activity: [first], total_count: 1 });
    expect(success(await read(first.id), 200).activity).toEqual(first);
  });

  it.each([undefined, null, "", " \n", "\u200b\u2800"])("answers COMMENT_BODY_MISSING to %j", async (body) => {
    refusal(await portal.comment(post, { body }, author), "COMMENT_BODY_MISSING");
    if (body == null) return;
    const { commentId } = await aComment(postId, author);
    refusal(await change(commentId, { body, is_internal: true }, moderator), "COMMENT_BODY_MISSING");
  });

  it("refuses comments and replies on a locked post, except from the team", async () => {
    const { commentId } = await aComment(postId, author);
    success(await portal.changePost(post, { isLocked: true }, moderator), 200);
    for (const body of [{ body: "Me too" }, { body: "And me", parent_id: commentId }])
      refusal(await portal.comment(post, body, author), "POST_LOCKED");
    await comment({ body: "From the team" }, moderator);
    await comment({ body: "A note", is_internal: true }, moderator);
    expect((await changed(commentId, { body: "Said otherwise" }, author)).body).toBe("Said otherwise");
    expect(await count()).toBe(2);
    success(await remove(commentId, author), 204);
    success(await portal.changePost(post, { isLocked: false }, moderator), 200);
    await comment({ body: "Again" }, author);
    expect(await bodies()).toEqual(["Again", "From the team"]);
    await expectSound();
  });

  it("counts itself alone where a lock comes in parallel", async () => {
    const [locked, said] = await Promise.all([
      portal.changePost(post, { isLocked: true }, moderator),
      portal.comment(post, { body: "Just in time?" }, author),
    ]);
    success(locked, 200);
    expect(["POST_LOCKED", undefined]).toContain(said.body.code);
    expect(await count()).toBe(said.status === 201 ? 1 : 0);
    await expectSound();
  });

  it("leaves nothing behind where the post is deleted in parallel", async () => {
    await Promise.all([posts.destroy(post), atOnce(6, () => portal.comment(post, { body: "Too late?" }, author))]);
    await expectSound();
  });
});

describe("A comment that a moderator makes a note while another call", () => {
  it.each<[what: string, call: (commentId: string) => Promise<Reply>, answer: string, left: object[]]>([
    ["deletes it disappears", (id) => remove(id, moderator), "204", []],
    [
      "changes it gets the new text",
      (id) => change(id, { body: "There" }, moderator),
      "200",
      [{ comment: { body: "There", is_internal: true } }],
    ],
    [
      "of its author deletes it is a note for that call",
      (id) => remove(id, author),
      "404 COMMENT_NOT_FOUND",
      [{ comment: { body: "Here", is_internal: true } }],
    ],
  ])("%s", async (_, call, answer, left) => {
    const { commentId } = await aComment(postId, author, { body: "Here" });
    const { slow } = await overtaken(
      () => call(commentId),
      () => changed(commentId, { is_internal: true }, moderator),
    );
    expect(tally([slow])).toEqual({ [answer]: 1 });
    expect((await portal.activity(post, moderator, BOTH)).activity).toMatchObject(left);
    await expectSound();
  });
});

describe("GET /posts/{postId}/comments/{commentId}", () => {
  it("finds nothing on another post, or after the deletion, which succeeds once", async () => {
    const { id } = await comment({ body: "First" }, author);
    refusal(await read(id, author, (await aPost(author)).postId), "COMMENT_NOT_FOUND");
    success(await remove(id, author), 204);
    refusal(await read(id, author), "COMMENT_NOT_FOUND");
    refusal(await remove(id, author), "COMMENT_NOT_FOUND");
    refusal(await change(id, { body: "x" }, author), "COMMENT_NOT_FOUND");
    expect(await count()).toBe(0);
    await expectSound();
  });
});

describe("A note", () => {
  const aNote = (fields: object = {}) => comment({ body: "Note", is_internal: true, ...fields }, moderator);

  it("shows to moderators and owners only, and counts for them only", async () => {
    const open = await comment({ body: "Open" }, author);
    expect((await aNote({ parent_id: open.id })).comment.is_internal).toBe(true);
    expect(await bodies(moderator, BOTH)).toEqual(["Note", "Open"]);
    expect(await bodies(moderator, { visibility: "internal" })).toEqual(["Note"]);
    expect(await bodies(moderator)).toEqual(["Open"]);
    expect((await portal.activity(post, moderator, BOTH)).total_count).toBe(2);
    for (const caller of [undefined, author, await aUser("suspended")]) {
      expect(await portal.activity(post, caller, BOTH)).toMatchObject({ activity: [{ id: open.id }], total_count: 1 });
      const internal = await portal.activity(post, caller, { visibility: "internal" });
      expect(internal).toMatchObject({ activity: [], total_count: 0 });
    }
    expect(await count()).toBe(1);
    await expectSound();
  });

  it("hides from members, who cannot read, change, delete or answer it", async () => {
    const { id } = await aNote();
    expect(success(await read(id, moderator), 200).activity.comment.is_internal).toBe(true);
    for (const by of [author, undefined]) refusal(await read(id, by), "COMMENT_NOT_FOUND");
    refusal(await change(id, { body: "Mine" }, author), "COMMENT_NOT_FOUND");
    refusal(await remove(id, author), "COMMENT_NOT_FOUND");
    refusal(await portal.comment(post, { body: "Answer", parent_id: id }, author), "COMMENT_NOT_FOUND");
  });

  it("refuses a public reply, with the reason only for moderators, who see the note", async () => {
    const { id } = await aNote();
    const reply = await portal.comment(post, { body: "Answer", parent_id: id }, moderator);
    refusal(reply, "VALIDATION_ERROR", "body.is_internal");
    expect((await aNote({ parent_id: id })).comment.parent_id).toBe(id);
  });

  it("comes from moderators and owners only", async () => {
    refusal(await portal.comment(post, { body: "x", is_internal: true }, author), "NOT_ENOUGH_PERMISSION");
    const { commentId } = await aComment(postId, author);
    refusal(await change(commentId, { body: "Mine", is_internal: true }, author), "NOT_ENOUGH_PERMISSION");
  });

  it("lies under a key that only requests for notes name, and only their functions may read", async () => {
    await aNote();
    for (const caller of [undefined, author]) {
      const { calls } = await invoke("comments-list", { token: caller?.token, params: { postId }, query: BOTH });
      expect(calls.flatMap(({ touches }) => touches).filter(({ family }) => family === "NOTES")).toEqual([]);
    }
    const readers = groups.filter(({ endpoints }) => endpoints.some(({ definition }) => grantsOf(definition).NOTES));
    expect(readers.map(({ name }) => name)).toEqual(["export", "moderation", "comments-read", "comments-write"]);
  });

  it("stays unnamed by a reply that becomes a comment, unlike an answered comment", async () => {
    const open = await aComment(postId, author, { body: "Open" });
    const note = await aComment(postId, moderator, { body: "Note", isInternal: true });
    for (const [{ commentId }, shown] of [
      [open, open.commentId],
      [note, null],
    ] as const) {
      const { id } = await aNote({ parent_id: commentId });
      const reply = await changed(id, { body: "Reply", is_internal: false, parent_id: commentId }, moderator);
      expect(reply.parent_id).toBe(shown);
    }
    expect(JSON.stringify(await portal.activity(post, undefined, BOTH))).not.toContain(note.commentId);
    await expectSound();
  });

  it("stays unnamed by replies from when it was a comment, for readers who see no notes", async () => {
    const { commentId } = await aComment(postId, moderator, { body: "Parent" });
    const reply = await comment({ body: "Reply", parent_id: commentId }, author);
    const parents = async (by?: Person) =>
      (await portal.activity(post, by)).activity.map((each: resources.Activity) => each.comment.parent_id);
    const note = await changed(commentId, { is_internal: true }, moderator);
    expect(note).toMatchObject({ body: "Parent", is_internal: true, is_edited: true });
    for (const by of [undefined, author]) expect(await parents(by)).toEqual([null]);
    expect(await parents(moderator)).toEqual([commentId]);
    expect(success(await read(reply.id), 200).activity.comment.parent_id).toBe(null);
    expect((await changed(reply.id, { body: "My reply" }, author)).parent_id).toBe(null);
    expect((await changed(reply.id, { body: "A reply" }, moderator)).parent_id).toBe(commentId);
    await expectSound();
    await changed(commentId, { body: "Parent", is_internal: false }, moderator);
    expect(await parents()).toEqual([commentId, null]);
    await changed(commentId, { body: "Parent", is_internal: true }, moderator);
    success(await remove(commentId, moderator), 204);
    expect(await bodies()).toEqual(["A reply"]);
    await expectSound();
  });
});

describe("PUT /posts/{postId}/comments/{commentId}", () => {
  it("changes an author's own comment, and any for a moderator", async () => {
    const { commentId } = await aComment(postId, author, { body: "Teh" });
    const edited = await changed(commentId, { body: "The", is_internal: false }, author);
    expect(edited).toMatchObject({ id: commentId, body: "The", is_edited: true });
    expect(edited.updated_at > edited.created_at).toBe(true);
    expect((await changed(commentId, { body: "THE" }, moderator)).body).toBe("THE");
    await expectSound();
  });

  it("shows the team who changed a comment last, unless its author did", async () => {
    const { commentId } = await aComment(postId, author);
    const owner = await aUser("owner");
    const editor = async (caller?: Person) => (await portal.activity(post, caller)).activity[0].comment.edited_by;
    expect((await changed(commentId, { body: "Moderated" }, moderator)).edited_by).toBe(moderator.userId);
    expect(await editor(moderator)).toBe(moderator.userId);
    for (const is_internal of [true, false]) await changed(commentId, { body: "Moved", is_internal }, owner);
    expect(await editor(moderator)).toBe(owner.userId);
    for (const caller of [undefined, author]) expect(await editor(caller)).toBeUndefined();
    expect(await changed(commentId, { body: "Mine" }, author)).not.toHaveProperty("edited_by");
    expect(await editor(moderator)).toBeUndefined();
    await expectSound();
  });

  it("writes nothing if nothing changes, and refuses to change neither text nor kind", async () => {
    const { commentId } = await aComment(postId, author, { body: "The" });
    refusal(await change(commentId, {}, author), "COMMENT_BODY_MISSING");
    const reply = await change(commentId, { body: "The" }, author);
    expect(success(reply, 200).comment.is_edited).toBe(false);
    expect(writesIn(reply)).toEqual([]);
  });
});

describe("GET /posts/{postId}/activity", () => {
  const ids = ({ activity }: { activity: { id: string }[] }) => activity.map(({ id }) => id);

  // Comments without notes: test/functions/lists.test.ts.
  it.each(["newest", "oldest"])(
    "answers all pages of comments with notes, by number and by cursor, %s first",
    async (sort) => {
      const made: string[] = [];
      for (let n = 0; n < 12; n++)
        made.push((await aComment(postId, moderator, { isInternal: n % 3 === 0 })).commentId);
      const listed = sort === "newest" ? made.toReversed() : made;
      const asked = { ...BOTH, sort };
      for (const page of [1, 2, 3, 4, 1000]) {
        const found = await portal.activity(post, moderator, { ...asked, page: String(page), limit: "5" });
        expect(ids(found)).toEqual(listed.slice(5 * (page - 1), 5 * page));
      }
      const pages = await portal.walk((cursor) =>
        portal.activity(post, moderator, { ...asked, first: "5", ...cursor }),
      );
      expect(pages.flatMap(ids)).toEqual(listed);
      for (const { total_count } of pages) expect(total_count).toBe(listed.length);
    },
  );

  it("fills a page up to 64 KB of text; the next one, by number or by cursor, begins there", async () => {
    const newestFirst: string[] = [];
    for (let n = 0; n < 25; n++) {
      const body = n % 8 === 3 ? "Short" : "\u754c".repeat(5000);
      newestFirst.unshift((await aComment(postId, author, { body })).commentId);
    }
    const oldest = await portal.walk((cursor) => portal.activity(post, undefined, { sort: "oldest", ...cursor }));
    expect(oldest.flatMap(ids)).toEqual(newestFirst.toReversed());
    for (const page of oldest) expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(80 * 1024);
    const byCursor = await portal.walk((cursor) => portal.activity(post, undefined, { first: "20", ...cursor }));
    const byNumber = [];
    for (let page = 1; page <= byCursor.length; page++) {
      byNumber.push(await portal.activity(post, undefined, { limit: "20", page: String(page) }));
    }
    expect(byNumber.map(ids)).toEqual(byCursor.map(ids));
    expect(byCursor.flatMap(ids)).toEqual(newestFirst);
    for (const page of byCursor) expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(80 * 1024);
    expect(ids(await portal.activity(post, undefined, { limit: "20", page: String(byCursor.length + 1) }))).toEqual([]);
  });

  it.each([false, true])(
    "shows each comment once while one changes its kind, first internal: %s",
    async (isInternal) => {
      const older = await aComment(postId, author);
      const moving = await aComment(postId, moderator, { isInternal });
      for (let read = 1; read <= 6; read++) {
        let reads = 0;
        const { is_internal } = (await portal.activity(post, moderator, BOTH)).activity[0].comment;
        const { slow } = await overtaken(
          () => portal.activity(post, moderator, BOTH),
          () => changed(moving.commentId, { body: "Moved", is_internal: !is_internal }, moderator),
          ({ operation }) => operation === "Query" && ++reads === read,
        );
        expect(ids(slow), `overtaken before read ${read}`).toEqual([moving.commentId, older.commentId]);
        if (read % 2 === 0) continue;
        // Back, so that each way is tried before each read.
        await changed(moving.commentId, { body: "Back", is_internal }, moderator);
      }
      await expectSound();
    },
  );

  it("refuses other words of visibility", async () => {
    const refused = await invoke("comments-list", { params: { postId }, query: { visibility: "public,secret" } });
    refusal(refused, "VALIDATION_ERROR", "query.visibility");
  });

  it("shows a new name of the author, of comments and notes", async () => {
    for (const isInternal of [false, true]) await aComment(postId, moderator, { isInternal });
    await portal.rename("Grace", moderator);
    await portal.finishRenames();
    const grace = { author: { name: "Grace" } };
    expect(await portal.activity(post, moderator, BOTH)).toMatchObject({ activity: [grace, grace] });
    await expectSound();
  });
});

describe("GET /posts/{postId}/activity with type", () => {
  const planned = { type: "status", from: { id: "open" }, to: { id: "planned", name: "Planned" } };
  const started = { type: "status", from: { id: "planned" }, to: { id: "started" } };
  const setStatus = async (status: string, text?: string) =>
    success(await portal.setStatus(post, { status, text }, moderator), 200);
  const listed = (query: Record<string, string>, by?: Person) => portal.activity(post, by, query);

  it("lists changes of the status alone, or among the comments, newest first, page by page", async () => {
    const first = await aComment(postId, author);
    await setStatus("planned", "Next month");
    await setStatus("planned", "In two months");
    const second = await aComment(postId, author);
    await setStatus("started");
    await expectSound();
    const comment = (id: string) => ({ type: "comment", id });
    const all = [started, comment(second.commentId), planned, comment(first.commentId)];
    expect(await listed({})).toMatchObject({ activity: [all[1], all[3]], total_count: 2 });
    expect(await listed({ type: "status" })).toMatchObject({ activity: [started, planned], total_count: 2 });
    const both = { type: "comment,status" };
    expect(await listed(both)).toMatchObject({ activity: all, total_count: 4 });
    expect((await listed({ ...both, limit: "2", page: "2" })).activity).toMatchObject(all.slice(2));
    const pages = await portal.walk((cursor) => listed({ ...both, first: "1", ...cursor }));
    expect(pages.flatMap(({ activity }) => activity)).toMatchObject(all);
    const oldest = await portal.walk((cursor) => listed({ ...both, sort: "oldest", first: "1", ...cursor }));
    expect(oldest.flatMap(({ activity }) => activity)).toMatchObject(all.toReversed());
  });

  it("shows who changed the status to moderators only", async () => {
    await setStatus("planned");
    const [forAuthor] = (await listed({ type: "status" }, author)).activity;
    const [forModerator] = (await listed({ type: "status" }, moderator)).activity;
    expect(JSON.stringify(forAuthor)).not.toContain(moderator.userId);
    expect(forModerator).toMatchObject({ by: moderator.userId });
  });
});

describe("DELETE /posts", () => {
  it("removes comments, notes, changes of the status and followers with the post", async () => {
    success(await portal.setStatus(post, { status: "planned" }, moderator), 200);
    for (const isInternal of [false, true]) await aComment(postId, moderator, { isInternal });
    success(await portal.follow(post, moderator), 200);
    success(await portal.deletePost(post, author), 204);
    refusal(await invoke("comments-list", { params: { postId } }), "POST_NOT_FOUND");
    await expectSound();
    for (const deleted of await due.waitingIds("DELETED")) await sweeps.sweep(deleted);
    const left = (await scan()).filter(({ pk, sk }) => pk.endsWith(`#${postId}`) || sk.startsWith("COMMENT#"));
    expect(left).toEqual([]);
    await expectSound();
  });
});
