import { beforeEach, describe, expect, it } from "vitest";
import { handler as create } from "../../../functions/comments/create.ts";
import { handler as destroy } from "../../../functions/comments/delete.ts";
import { handler as list } from "../../../functions/comments/list.ts";
import { handler as update } from "../../../functions/comments/update.ts";
import { groups } from "../../../functions/index.ts";
import { handler as deletePost } from "../../../functions/posts/delete.ts";
import { handler as listPosts } from "../../../functions/posts/list.ts";
import { handler as rename } from "../../../functions/users/update-profile.ts";
import { scan } from "../../../infra/operator/check-table/check.ts";
import * as renames from "../../../lib/cleanup/renames.ts";
import * as sweeps from "../../../lib/cleanup/sweeps.ts";
import { grantsOf } from "../../../lib/http/definition.ts";
import * as comments from "../../../lib/posts/comments.ts";
import * as posts from "../../../lib/posts/posts.ts";
import * as due from "../../../lib/table/due.ts";
import { newId } from "../../../lib/values/ids.ts";
import { refusal, success } from "../../support/http/answers.ts";
import { invoke } from "../../support/http/invoke.ts";
import { freshTable } from "../../support/setup.ts";
import { expectSound } from "../../support/store/sound.ts";
import { aComment, aMember, aPost, aUser, type Person } from "../../support/world/fixtures.ts";
import * as resource from "../../support/world/resources.ts";

let author: Person;
let moderator: Person;
let postId: string;

beforeEach(async () => {
  await freshTable();
  author = await aMember();
  moderator = await aUser("moderator");
  postId = (await aPost(author)).postId;
});

function comment(by: Person, body: object) {
  return invoke(create, { token: by.token, params: { postId }, body });
}

function edit(by: Person, commentId: string, body: object) {
  return invoke(update, { token: by.token, params: { postId, commentId }, body });
}

function remove(by: Person, commentId: string) {
  return invoke(destroy, { token: by.token, params: { postId, commentId } });
}

type Activity = { id: string; comment: { body: string; is_internal: boolean } };

async function activity(by: Person | undefined, query: Record<string, string> = {}) {
  return success(await invoke(list, { token: by?.token, params: { postId }, query }), 200);
}

async function bodies(by: Person | undefined, query: Record<string, string> = {}): Promise<string[]> {
  return (await activity(by, query)).activity.map((each: Activity) => each.comment.body);
}

async function counted(): Promise<number> {
  return (await invoke(listPosts, { body: {} })).body.posts[0].commentsCount;
}

const BOTH = { visibility: "public,internal" };

describe("POST /posts/{postId}/comments", () => {
  it("answers the comment as LogChimp's front end reads it, and everybody finds it, newest first", async () => {
    const first = success(await comment(author, { body: "First", is_internal: false }), 201).activity;
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
    const reply = success(await comment(moderator, { body: "Second", parent_id: first.id }), 201).activity;
    expect(reply.comment.parent_id).toBe(first.id);
    expect(await activity(undefined)).toMatchObject({ activity: [reply, first], total_count: 2 });
    expect(await counted()).toBe(2);
    await expectSound();
  });

  it("refuses an empty text, a text that is too long, unknown posts and comments to answer", async () => {
    for (const body of [undefined, null, "", " \n", "\u200b\u2800"])
      refusal(await comment(author, { body }), "COMMENT_BODY_MISSING");
    refusal(await comment(author, { body: "x".repeat(5001) }), "VALIDATION_ERROR", "body.body");
    refusal(await comment(author, { body: "x", parent_id: newId() }), "COMMENT_NOT_FOUND");
    const request = { token: author.token, params: { postId: newId() }, body: { body: "x" } };
    refusal(await invoke(create, request), "POST_NOT_FOUND");
    refusal(await comment(await aUser("suspended"), { body: "x" }), "NOT_ENOUGH_PERMISSION");
    expect(await counted()).toBe(0);
  });

  it("makes one comment of a call that is repeated under a key", async () => {
    const request = {
      token: author.token,
      params: { postId },
      body: { body: "Once" },
      headers: { "idempotency-key": "a-key-of-mine" },
    };
    const [first, second] = [await invoke(create, request), await invoke(create, request)];
    expect(second.body).toStrictEqual(first.body);
    expect(await bodies(undefined)).toEqual(["Once"]);
    await expectSound();
  });

  it("counts exactly while many comment, change and delete at once, and the post is deleted", async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => aComment(postId, moderator)));
    const [post] = [await posts.find(postId)];
    await Promise.all([
      ...Array.from({ length: 6 }, (_, n) => comment(moderator, { body: `More ${n}`, is_internal: n % 2 === 0 })),
      ...made.map(({ commentId }, n) =>
        n % 2 === 0 ? remove(moderator, commentId) : edit(moderator, commentId, { body: "Note", is_internal: true }),
      ),
    ]);
    await expectSound();
    expect(await counted()).toBe(3);
    await Promise.all([
      posts.destroy(post as posts.PostRecord),
      ...Array.from({ length: 6 }, () => comment(author, { body: "Too late?" })),
    ]);
    await expectSound();
  });
});

describe("A comment that a moderator makes a note meanwhile", () => {
  const meanwhile = async (
    work: (comment: comments.CommentRecord, reread: () => ReturnType<typeof comments.find>) => Promise<unknown>,
  ) => {
    const { commentId } = await aComment(postId, author, { body: "Here" });
    const asRead = (await comments.find({ postId, commentId, isInternal: false })) as comments.CommentRecord;
    success(await edit(moderator, commentId, { body: "Here", is_internal: true }), 200);
    const result = await work(asRead, () => comments.findSeen(asRead, true));
    await expectSound();
    return result;
  };

  it("is deleted and changed all the same", async () => {
    expect(await meanwhile((comment, reread) => comments.destroy(comment, reread))).toBe("done");
    const changed = await meanwhile((comment, reread) => comments.change(comment, reread, { body: "There" }));
    expect(changed).toMatchObject({ body: "There", isInternal: true });
  });

  it("is gone for those who see no notes", async () => {
    const missing = async () => undefined;
    expect(await meanwhile((comment) => comments.destroy(comment, missing))).toBe("no such comment");
  });
});

describe("Notes", () => {
  it("are written by moderators and owners only, and seen by nobody else", async () => {
    refusal(await comment(author, { body: "x", is_internal: true }), "NOT_ENOUGH_PERMISSION");
    const open = success(await comment(author, { body: "Open" }), 201).activity;
    const note = success(
      await comment(moderator, { body: "Note", is_internal: true, parent_id: open.id }),
      201,
    ).activity;
    expect(note.comment.is_internal).toBe(true);
    expect(await bodies(moderator, BOTH)).toEqual(["Note", "Open"]);
    expect(await bodies(moderator, { visibility: "internal" })).toEqual(["Note"]);
    expect(await bodies(moderator)).toEqual(["Open"]);
    expect((await activity(moderator, BOTH)).total_count).toBe(2);
    for (const caller of [undefined, author, await aUser("suspended")]) {
      expect(await activity(caller, BOTH)).toMatchObject({ activity: [{ id: open.id }], total_count: 1 });
      expect(await activity(caller, { visibility: "internal" })).toMatchObject({ activity: [], total_count: 0 });
    }
    for (const action of [
      edit(author, note.id, { body: "Mine" }),
      remove(author, note.id),
      comment(author, { body: "Answer", parent_id: note.id }),
    ]) {
      refusal(await action, "COMMENT_NOT_FOUND");
    }
    expect(await counted()).toBe(1);
    await expectSound();
  });

  it("have keys that no other request names, and that no other function behind the API may read", async () => {
    await comment(moderator, { body: "Note", is_internal: true });
    for (const caller of [undefined, author]) {
      const { calls } = await invoke(list, { token: caller?.token, params: { postId }, query: BOTH });
      expect(calls.flatMap(({ touches }) => touches).filter(({ family }) => family === "NOTES")).toEqual([]);
    }
    const readers = groups.filter(({ endpoints }) => endpoints.some(({ definition }) => grantsOf(definition).NOTES));
    expect(readers.map(({ name }) => name)).toEqual(["comments-read", "comments-write"]);
  });

  it("become comments and the other way round, by moderators and owners", async () => {
    const { commentId } = await aComment(postId, author, { body: "Mine" });
    refusal(await edit(author, commentId, { body: "Mine", is_internal: true }), "NOT_ENOUGH_PERMISSION");
    const hidden = success(await edit(moderator, commentId, { body: "Mine", is_internal: true }), 200).comment;
    expect(hidden).toMatchObject({ is_internal: true, is_edited: true });
    expect([await bodies(undefined), await counted()]).toEqual([[], 0]);
    await expectSound();
    expect((await edit(moderator, commentId, { body: "Back", is_internal: false })).status).toBe(200);
    expect([await bodies(undefined), await counted()]).toEqual([["Back"], 1]);
    await expectSound();
  });

  it("are not named by a reply that becomes a comment, unlike comments", async () => {
    const open = await aComment(postId, author, { body: "Open" });
    const note = await aComment(postId, moderator, { body: "Note", isInternal: true });
    const parents = [open, note].map(async ({ commentId: parent_id }) => {
      const reply = { body: "Reply", is_internal: true, parent_id };
      const { id } = success(await comment(moderator, reply), 201).activity;
      const { comment: shown } = success(await edit(moderator, id, { ...reply, is_internal: false }), 200);
      return shown.parent_id;
    });
    expect(await Promise.all(parents)).toEqual([open.commentId, null]);
    expect(JSON.stringify(await activity(undefined, BOTH))).not.toContain(note.commentId);
    await expectSound();
  });
});

describe("PUT and DELETE /posts/{postId}/comments/{commentId}", () => {
  it("let authors change and delete their own, moderators any, others none", async () => {
    const { commentId } = await aComment(postId, author, { body: "Teh" });
    const other = await aMember();
    refusal(await edit(other, commentId, { body: "x" }), "NOT_ENOUGH_PERMISSION");
    refusal(await remove(other, commentId), "NOT_ENOUGH_PERMISSION");
    const { comment: edited } = success(await edit(author, commentId, { body: "The", is_internal: false }), 200);
    expect(edited).toMatchObject({ id: commentId, body: "The", is_edited: true });
    expect(edited.updated_at > edited.created_at).toBe(true);
    const same = await edit(author, commentId, { body: "The" });
    expect(same.body.comment).toEqual(edited);
    expect(same.calls.filter(({ inTransaction }) => inTransaction)).toEqual([]);
    expect((await edit(moderator, commentId, { body: "THE" })).status).toBe(200);
    success(await remove(author, commentId), 204);
    refusal(await remove(author, commentId), "COMMENT_NOT_FOUND");
    refusal(await edit(author, commentId, { body: "x" }), "COMMENT_NOT_FOUND");
    expect(await counted()).toBe(0);
    await expectSound();
  });

  it("leave replies to a deleted comment where they are", async () => {
    const parent = await aComment(postId, author);
    await aComment(postId, moderator, { body: "Reply", parentId: parent.commentId });
    await remove(author, parent.commentId);
    expect(await bodies(undefined)).toEqual(["Reply"]);
    await expectSound();
  });
});

describe("GET /posts/{postId}/activity", () => {
  it("answers page after page until an empty one, and the same by cursor", async () => {
    const made: string[] = [];
    for (let n = 0; n < 12; n++) {
      const { commentId } = await aComment(postId, moderator, { isInternal: n % 3 === 0 });
      made.unshift(commentId);
    }
    const ids = (answer: { activity: Activity[] }) => answer.activity.map(({ id }) => id);
    for (const query of [BOTH, { visibility: "public" }]) {
      const all = made.filter((_, n) => query === BOTH || (11 - n) % 3 !== 0);
      const pages: string[] = [];
      for (let page = 1; page < 9; page++) {
        const found = ids(await activity(moderator, { ...query, page: String(page), limit: "5" }));
        if (found.length === 0) break;
        pages.push(...found);
      }
      expect(pages).toEqual(all);
      const walked: string[] = [];
      for (let after: string | undefined; ; ) {
        const answer = await activity(moderator, { ...query, first: "5", ...(after && { after }) });
        walked.push(...ids(answer));
        expect(answer.total_count).toBe(all.length);
        if (!answer.page_info.has_next_page) break;
        after = answer.page_info.end_cursor;
      }
      expect(walked).toEqual(all);
    }
    expect(await activity(undefined, { page: "1000", limit: "50" })).toMatchObject({ activity: [] });
  });

  it("ends a page by cursor before 512 KB, and goes on behind it", async () => {
    const body = '"'.repeat(5000);
    const made: string[] = [];
    for (let n = 0; n < 40; n++) made.unshift((await aComment(postId, author, { body })).commentId);
    const numbered = await activity(undefined, { limit: "40" });
    expect(numbered.activity.map(({ id }: Activity) => id)).toEqual(made);
    const walked: string[] = [];
    for (let after: string | undefined; ; ) {
      const answer = await activity(undefined, { first: "40", ...(after && { after }) });
      expect(JSON.stringify(JSON.stringify(answer)).length).toBeLessThan(520 * 1024);
      walked.push(...answer.activity.map(({ id }: Activity) => id));
      if (!answer.page_info.has_next_page) break;
      after = answer.page_info.end_cursor;
    }
    expect(walked).toEqual(made);
  });

  it("refuses other words of visibility and unknown posts", async () => {
    const refused = await invoke(list, { params: { postId }, query: { visibility: "public,secret" } });
    refusal(refused, "VALIDATION_ERROR", "query.visibility");
    refusal(await invoke(list, { params: { postId: newId() } }), "POST_NOT_FOUND");
  });
});

describe("Comments and notes", () => {
  it("are swept with their post", async () => {
    await aComment(postId, author);
    await aComment(postId, moderator, { isInternal: true });
    await invoke(deletePost, { token: author.token, body: { id: postId } });
    refusal(await invoke(list, { params: { postId } }), "POST_NOT_FOUND");
    await expectSound();
    for (const deleted of await due.waitingIds("DELETED")) await sweeps.sweep(deleted);
    const left = (await scan()).filter(({ pk, sk }) => /^(ACTIVITY|NOTES)#/.test(pk) || sk.startsWith("COMMENT#"));
    expect(left).toEqual([]);
    await expectSound();
  });

  it("show a new name of their author", async () => {
    await aComment(postId, moderator);
    await aComment(postId, moderator, { isInternal: true });
    await invoke(rename, { token: moderator.token, body: { name: "Grace" } });
    for (const jobId of await due.waitingIds("RENAMES")) {
      await renames.carryOut(jobId);
      await renames.carryOut(jobId, Date.now() + renames.SETTLE_MS);
    }
    const { activity: shown } = await activity(moderator, BOTH);
    expect(shown.map((each: { author: { name: string } }) => each.author.name)).toEqual(["Grace", "Grace"]);
    await expectSound();
  });
});
