import * as z from "zod/mini";
import * as users from "../../lib/accounts/users.ts";
import { derive } from "../../lib/cleanup/derived-rows.ts";
import type { OwnRows } from "../../lib/moving/form.ts";
import { entryKey, entryPart } from "../../lib/moving/journal.ts";
import { inGroups, type Work } from "../../lib/moving/work.ts";
import { importParts } from "../../lib/posts/comment-changes.ts";
import type { CommentRecord } from "../../lib/posts/comments.ts";
import * as posts from "../../lib/posts/posts.ts";
import { importedChangesParts } from "../../lib/posts/status-changes.ts";
import { choiceParts } from "../../lib/posts/subscriptions.ts";
import { type Key, key } from "../../lib/table/keys.ts";
import { create, type Part, put, update } from "../../lib/table/parts.ts";
import { type Range, range } from "../../lib/table/ranges.ts";
import { getRange } from "../../lib/table/reads.ts";
import { transact } from "../../lib/table/transactions.ts";
import { NIL } from "../../lib/values/ids.ts";
import type { StatusLetter } from "../../lib/values/statuses.ts";
import { firstVotesParts } from "../../lib/votes/many-votes.ts";
import type { VoteRecord } from "../../lib/votes/votes.ts";
import { FIRST_SLUGS, slugParts, writeFurtherSlugs } from "./former-slugs.ts";
import type { OwnMerged, OwnPost } from "./own-rows.ts";
import type { Names } from "./people.ts";
import { addVotes, MORE_VOTES, roomForVotes } from "./posts.ts";

// A post of an export is written as an import writes one (posts.ts): with its first votes in one transaction, what else
// belongs to it in as few as there can be.

/** What a restored post needs of what stands above it. */
export type Restoring = {
  importId: string;
  names: Names;
  work: Work;
  /** The boards, roadmaps and tags that are here, and the letters of the statuses. */
  entries: Set<string>;
  letters: Map<string, StatusLetter | undefined>;
};

// No status has this letter: it stands for one that has been deleted.
const GONE: StatusLetter = "?";

// A transaction has at most 100 parts: a comment has four, a change one, a choice two.
const COMMENTS = 24;
const CHANGES = 90;
const FOLLOWS = 45;

/** Writes what is not there yet of a post with all that belongs to it. */
export async function restorePost(own: OwnPost, restoring: Restoring): Promise<void> {
  const { post } = own;
  const { work } = restoring;
  const { otherSlugs = [], tags = [] } = post;
  const first = own.votes.slice(0, roomForVotes({ slugs: otherSlugs.length, tags: tags.length }));
  const isNew = await work(() => addPost(post, first, restoring));
  const rest = isNew ? { ...own, votes: own.votes.slice(first.length) } : await work(() => missingOf(own));
  await restoreSlugs(post, key.post(post.ref), restoring);
  for (const some of inGroups(rest.votes, MORE_VOTES))
    await work(async () => addVotes(post.ref, await ballotsOf(some, restoring)));
  for (const some of inGroups(rest.comments, COMMENTS)) await work(() => addComments(post.ref, some, restoring));
  for (const some of inGroups(rest.changes, CHANGES)) await work(() => addChanges(post.ref, some, restoring));
  for (const some of inGroups(own.follows, FOLLOWS)) await work(() => addFollows(post.ref, some, restoring));
  for (const merged of byHeight(own.merged)) await restoreMerged(merged, restoring);
  await work(() => derive(post.ref));
}

/** Writes the slugs of other portals for which the transaction of a post had no room. */
async function restoreSlugs(
  { ref: postId, otherSlugs = [] }: OwnRows["post"] | OwnRows["merged"],
  home: Key,
  { importId, work }: Restoring,
): Promise<void> {
  const further = otherSlugs.slice(FIRST_SLUGS);
  if (further.length > 0) await work(() => writeFurtherSlugs(importId, { postId, home }, further));
}

/** Adds a post with its first votes. Returns whether it is new. */
async function addPost(post: OwnRows["post"], first: OwnRows["vote"][], restoring: Restoring): Promise<boolean> {
  const shown = await restoring.names.of(post.author === undefined ? [] : [post.author]);
  const written = recordOf(post, shown.get(post.author ?? "") ?? users.NOBODY, restoring);
  const record = { ...written, isPinned: post.pinned };
  const slugs = (post.otherSlugs ?? []).slice(0, FIRST_SLUGS);
  const outcome = await transact<string>({
    ...posts.newPostParts(record),
    ...firstVotesParts(record, await ballotsOf(first, restoring)),
    ...slugParts(slugs, post.ref),
    // The next export finds the slugs of other portals by it.
    ...(slugs.length > 0 && entryPart(restoring.importId, entryKey("post", post.ref), { slugs })),
  });
  if (outcome.done || outcome.failed.post) return outcome.done;
  // As many as a site may have are pinned already.
  if (outcome.failed.pins) return addPost({ ...post, pinned: undefined }, first, restoring);
  throw new Error("A board, roadmap or tag was deleted during the import: run it again");
}

function recordOf(
  post: OwnRows["post"] | OwnRows["merged"],
  author: users.Shown,
  { entries, letters }: Restoring,
): posts.PostRecord {
  const {
    ref: postId,
    title,
    slug,
    body: contentMarkdown,
    by,
    board = "",
    roadmap = "",
    earlierSlugs,
    updatedAt,
  } = post;
  const tagIds = (post.tags ?? []).filter((tagId) => entries.has(tagId));
  return {
    postId,
    title,
    slug,
    contentMarkdown,
    author,
    by,
    boardId: entries.has(board) ? board : undefined,
    roadmapId: entries.has(roadmap) ? roadmap : undefined,
    status: letters.get(post.status),
    tagIds: tagIds.length > 0 ? tagIds.sort() : undefined,
    oldSlugs: earlierSlugs,
    response: responseOf(post, letters),
    isLocked: post.locked,
    updatedAt: Date.parse(updatedAt),
  };
}

function letterOf(letters: Restoring["letters"], status: string | undefined): StatusLetter | undefined {
  return status === undefined || !letters.has(status) ? GONE : letters.get(status);
}

function responseOf(
  { response, responseAt, responseStatus, responseBy, updatedAt }: OwnRows["post"] | OwnRows["merged"],
  letters: Restoring["letters"],
): posts.OfficialResponse | undefined {
  if (response === undefined) return undefined;
  const at = Date.parse(responseAt ?? updatedAt);
  return { text: response, status: letterOf(letters, responseStatus), at, by: responseBy };
}

/** Votes with what is shown of their voters. A vote of an account that is gone has an id of nobody. */
async function ballotsOf(votes: OwnRows["vote"][], { names }: Restoring): Promise<VoteRecord[]> {
  const shown = await names.of(votes.flatMap(({ voter }) => voter ?? []));
  return votes.map(({ ref: voteId, voter = "", by }) => ({
    voteId,
    ...(shown.get(voter) ?? { ...users.NOBODY, userId: voteId }),
    by,
  }));
}

const AnyItem = z.object({ sk: z.string() });

/** What a run that was killed has not written of a post. */
async function missingOf(own: OwnPost): Promise<OwnPost> {
  const { ref } = own.post;
  const idsIn = async (items: Range) => (await getRange(items, AnyItem)).map(({ sk }) => sk.replace(/^\W/, ""));
  const found = await Promise.all([
    idsIn(range.votes(ref)),
    idsIn(range.comments("comment", ref, {})),
    idsIn(range.comments("note", ref, {})),
    idsIn(range.statusChanges(ref)),
  ]);
  const there = new Set(found.flat());
  const isMissing = (row: { ref: string }) => !there.has(row.ref);
  return {
    ...own,
    votes: own.votes.filter(isMissing),
    comments: own.comments.filter(isMissing),
    changes: own.changes.filter(isMissing),
  };
}

async function addComments(postId: string, comments: OwnRows["comment"][], { names }: Restoring): Promise<void> {
  const shown = await names.of(comments.flatMap(({ author }) => author ?? []));
  const records = comments.map(
    ({ ref, author = "", body, parent, internal, editedAt, editedBy, from }): CommentRecord => ({
      postId,
      commentId: ref,
      isInternal: internal,
      author: shown.get(author) ?? users.NOBODY,
      body: body as string,
      parentId: parent,
      editedAt: editedAt === undefined ? undefined : Date.parse(editedAt),
      editedBy,
      from,
    }),
  );
  const hidden = comments.filter(({ wasPublic }) => wasPublic).map(({ ref }) => ref);
  const marks = hidden.map((ref): [string, Part] => [`hidden ${ref}`, put(key.hiddenComment(postId, ref), {})]);
  await transact<string>({ ...importParts(postId, records), ...Object.fromEntries(marks) });
}

async function addChanges(postId: string, changes: OwnRows["change"][], { letters }: Restoring): Promise<void> {
  const records = changes.map(({ ref, from, to, by = NIL }) => ({
    postId,
    changeId: ref,
    from: letterOf(letters, from),
    to: letterOf(letters, to),
    by,
  }));
  await transact<string>(importedChangesParts(postId, records));
}

async function addFollows(postId: string, follows: OwnRows["follow"][], { names }: Restoring): Promise<void> {
  const shown = await names.of(follows.map(({ account }) => account));
  const choices = follows.filter(({ account }) => shown.has(account));
  await transact<string>(
    choiceParts(
      postId,
      choices.map(({ account: userId, on, from }) => ({ userId, on, from })),
    ),
  );
}

/** How many merges lie behind a post that was merged. */
function heightOf(postId: string, all: OwnMerged[]): number {
  return all.reduce((most, { post }) => (post.into === postId ? Math.max(most, 1 + heightOf(post.ref, all)) : most), 0);
}

type MergedWithHeight = OwnMerged & { height: number };

/** Posts that were merged, each behind the one that it was merged into: a kill leaves none that leads to nothing. */
function byHeight(all: OwnMerged[]): MergedWithHeight[] {
  const placed = all.map((own) => ({ ...own, height: heightOf(own.post.ref, all) }));
  return placed.sort((a, b) => b.height - a.height);
}

/** Writes a post that was merged, and what leads back to all that came from it. */
async function restoreMerged(own: MergedWithHeight, restoring: Restoring): Promise<void> {
  const { post } = own;
  const { work, names, letters } = restoring;
  await work(() => addMerged(own, restoring));
  await restoreSlugs(post, key.merged(post.ref), restoring);
  const moved = own.moved.map(({ ref, what, was, by, inherits }): Part => {
    if (what === "comment") return put(key.movedComment(post.ref, ref), {});
    return put(key.movedVote(post.ref, ref), { was, by, inherits });
  });
  const changes = own.changes.map(({ ref, from, to, by = NIL }): Part => {
    const change = { from: letterOf(letters, from), to: letterOf(letters, to), by };
    return put(key.statusChange(post.ref, ref), change);
  });
  for (const parts of inGroups([...moved, ...changes], CHANGES)) await work(() => transact<string>(numbered(parts)));
  for (const some of inGroups(own.follows, FOLLOWS)) {
    await work(async () => {
      const shown = await names.of(some.map(({ account }) => account));
      const choices = some.filter(({ account }) => shown.has(account));
      const parts = choices.flatMap(({ account, on, from }) => [
        put(key.subscription(post.ref, account), { on, from }),
        put(key.userFollow(account, post.ref), {}),
      ]);
      if (parts.length > 0) await transact<string>(numbered(parts));
    });
  }
}

function numbered(parts: Part[]): Record<string, Part> {
  return Object.fromEntries(parts.map((part, at) => [`part ${at}`, part]));
}

async function addMerged({ post, changes, height }: MergedWithHeight, restoring: Restoring): Promise<void> {
  const shown = await restoring.names.of(post.author === undefined ? [] : [post.author]);
  const { postId, ...fields } = recordOf(post, shown.get(post.author ?? "") ?? users.NOBODY, restoring);
  const { into, mergedAt, mergedBy, otherSlugs = [] } = post;
  const slugs = otherSlugs.slice(0, FIRST_SLUGS);
  // Nothing if a run that was killed has written it.
  await transact<string>({
    merged: create(key.merged(postId), {
      ...fields,
      into,
      mergedAt: Date.parse(mergedAt),
      mergedBy,
      statuses: changes.length,
      moves: 0,
      moved: true,
    }),
    duplicate: put(key.duplicate(into, postId), { height }),
    userPost: put(key.userPost(fields.author.userId, postId), {}),
    // Votes came to the post in which it continues: once to move, once to rest.
    voters: update(key.voters(post.post), "SET moves = if_not_exists(moves, :both)", {
      if: "attribute_exists(pk)",
      values: { ":both": 2 },
    }),
    ...slugParts(slugs, postId),
    ...(slugs.length > 0 && entryPart(restoring.importId, entryKey("post", postId), { slugs })),
  });
}
