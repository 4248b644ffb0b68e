import { beforeEach, describe, expect, it } from "vitest";
import { type Person, shownOf } from "../../../lib/accounts/users.ts";
import { type ActivityPage, activityPage, beginPage, type Place } from "../../../lib/posts/activity-page.ts";
import { changeComment, deleteComment } from "../../../lib/posts/comment-changes.ts";
import { type CommentRecord, findSeen, type Kind } from "../../../lib/posts/comments.ts";
import { statusChangeParts } from "../../../lib/posts/status-changes.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { newId } from "../../../lib/values/ids.ts";
import { freshTable } from "../../support/setup.ts";
import { aComment, aMember, aPost } from "../../support/world/fixtures.ts";

const FIRST: Place = { number: 1, size: 10 };
const PUBLIC: Kind[] = ["comment"];
const BOTH: Kind[] = ["note", "comment"];

let author: Person;
let postId: string;

beforeEach(async () => {
  await freshTable();
  author = await aMember();
  postId = (await aPost(author)).postId;
});

async function aStatusChange(): Promise<string> {
  const changeId = newId();
  const parts = statusChangeParts(postId, changeId, { from: undefined, to: "b", by: author.userId });
  expect((await transact(parts)).done).toBe(true);
  return changeId;
}

function begin(place: Place = FIRST) {
  return beginPage(postId, place, { hasComments: true, hasChanges: true });
}

function idsOf({ entries }: ActivityPage): string[] {
  return entries.map(({ id }) => id);
}

function rereadOf({ commentId }: CommentRecord) {
  return () => findSeen({ postId, commentId }, true);
}

async function read(place: Place, kinds: Kind[]): Promise<ActivityPage> {
  return activityPage(postId, await begin(place), { kinds, hidesParents: false });
}

describe("A page of activity", () => {
  it("merges comments, notes and changes of the status, the newest first", async () => {
    const comment = await aComment(postId, author);
    const change = await aStatusChange();
    const note = await aComment(postId, author, { isInternal: true });
    const page = await read(FIRST, BOTH);
    expect(idsOf(page)).toEqual([note.commentId, change, comment.commentId]);
    expect(page.entries[1]?.change).toMatchObject({ to: "b", by: author.userId });
    expect(page.entries[2]?.comment).toEqual(comment);
    expect(idsOf(await read(FIRST, PUBLIC))).toEqual([change, comment.commentId]);
  });

  it("begins after the pages before it, or after an entry", async () => {
    const ids: string[] = [];
    for (let at = 0; at < 5; at++) ids.unshift((await aComment(postId, author)).commentId);
    const second = await read({ number: 2, size: 2 }, BOTH);
    expect(idsOf(second)).toEqual(ids.slice(2, 4));
    expect(second.start).toBe(2);
    expect(second.hasNext).toBe(true);
    const rest = await read({ number: 1, size: 2, past: ids[3] }, BOTH);
    expect(idsOf(rest)).toEqual(ids.slice(4));
    expect(rest.start).toBe(0);
    expect(rest.hasNext).toBe(false);
    const newer = await read({ number: 1, size: 2, past: ids[3], isOldestFirst: true }, BOTH);
    expect(idsOf(newer)).toEqual([ids[2], ids[1]]);
    expect(newer.hasNext).toBe(true);
  });

  it("ends after 64 KB of text, and has one comment at least", async () => {
    const body = "x".repeat(40 * 1024);
    const newest = ["first", "second", "third"].map(() => ({ commentId: newId(), body }));
    for (const fields of newest) await aComment(postId, author, fields);
    newest.reverse();
    for (const [at, { commentId }] of newest.entries()) {
      const page = await read({ number: at + 1, size: 10 }, BOTH);
      expect(idsOf(page)).toEqual([commentId]);
      expect(page.hasNext).toBe(at < 2);
    }
    expect(idsOf(await read({ number: 4, size: 10 }, BOTH))).toEqual([]);
  });

  it("keeps the place of a comment that is deleted after its row was read", async () => {
    const comment = await aComment(postId, author);
    const begun = await begin();
    await deleteComment(comment, rereadOf(comment));
    const { entries } = await activityPage(postId, begun, { kinds: PUBLIC, hidesParents: true });
    expect(entries).toEqual([{ id: comment.commentId, comment: undefined, change: undefined }]);
  });

  it("shows a comment once that becomes a note, or a note that becomes a comment, after rows were read", async () => {
    for (const isInternal of [false, true]) {
      const comment = await aComment(postId, author, { isInternal });
      const begun = await begin();
      await changeComment(comment, rereadOf(comment), { isInternal: !isInternal, by: author.userId });
      const { entries } = await activityPage(postId, begun, { kinds: BOTH, hidesParents: false });
      const shown = entries.filter(({ id }) => id === comment.commentId);
      expect(shown).toHaveLength(1);
      expect(shown[0]?.comment).toMatchObject({ isInternal: !isInternal, author: shownOf(author) });
    }
  });
});
