import * as z from "zod/mini";
import * as users from "../../lib/accounts/users.ts";
import { derive } from "../../lib/cleanup/derived-rows.ts";
import type { OwnRows } from "../../lib/moving/form.ts";
import { entryKey, entryPart } from "../../lib/moving/journal.ts";
import { inGroups } from "../../lib/moving/work.ts";
import { importParts } from "../../lib/posts/comment-changes.ts";
import type { CommentRecord } from "../../lib/posts/comments.ts";
import * as posts from "../../lib/posts/posts.ts";
import { importedChangesParts } from "../../lib/posts/status-changes.ts";
import { choiceParts } from "../../lib/posts/subscriptions.ts";
import { key } from "../../lib/table/keys.ts";
import { type Part, put } from "../../lib/table/parts.ts";
import { type Range, range } from "../../lib/table/ranges.ts";
import { getRange } from "../../lib/table/reads.ts";
import { transact } from "../../lib/table/transactions.ts";
import { firstVotesParts } from "../../lib/votes/many-votes.ts";
import type { VoteRecord } from "../../lib/votes/votes.ts";
import { FIRST_SLUGS, slugParts } from "./former-slugs.ts";
import type { OwnPost } from "./own-rows.ts";
import { addVotes, MORE_VOTES, roomForVotes } from "./posts.ts";
import { restoreAllMerged } from "./restore-merged.ts";
import { CHANGES, changeOf, FOLLOWS, type Restoring, recordOf, restoreSlugs, withAccount } from "./restore-records.ts";

// A post of an export is written as an import writes one (posts.ts): with its first votes in one transaction, what else
// belongs to it in as few as there can be.

// A transaction has at most 100 parts: a comment has four.
const COMMENTS = 24;

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
  for (const some of inGroups(rest.comments, COMMENTS)) await work(() => addComments(own, some, restoring));
  for (const some of inGroups(rest.changes, CHANGES)) await work(() => addChanges(post.ref, some, restoring));
  for (const some of inGroups(own.follows, FOLLOWS)) await work(() => addFollows(post.ref, some, restoring));
  await restoreAllMerged(own.merged, restoring);
  await work(() => derive(post.ref));
}

/** Adds a post with its first votes. Returns whether it is new. */
async function addPost(post: OwnRows["post"], first: OwnRows["vote"][], restoring: Restoring): Promise<boolean> {
  const record = { ...(await recordOf(post, restoring)), isPinned: post.pinned };
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

async function addComments(
  { post, merged }: OwnPost,
  comments: OwnRows["comment"][],
  { names }: Restoring,
): Promise<void> {
  const postId = post.ref;
  const boards = new Map(merged.map((each) => [each.post.ref, each.post.board]));
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
      fromBoard: boards.get(from ?? ""),
    }),
  );
  const hidden = comments.filter(({ wasPublic }) => wasPublic).map(({ ref }) => ref);
  const marks = hidden.map((ref): [string, Part] => [`hidden ${ref}`, put(key.hiddenComment(postId, ref), {})]);
  await transact<string>({ ...importParts(postId, records), ...Object.fromEntries(marks) });
}

async function addChanges(postId: string, changes: OwnRows["change"][], { letters }: Restoring): Promise<void> {
  const records = changes.map((change) => ({ postId, changeId: change.ref, ...changeOf(change, letters) }));
  await transact<string>(importedChangesParts(postId, records));
}

async function addFollows(postId: string, follows: OwnRows["follow"][], restoring: Restoring): Promise<void> {
  const choices = await withAccount(follows, restoring);
  await transact<string>(
    choiceParts(
      postId,
      choices.map(({ account: userId, on, from }) => ({ userId, on, from })),
    ),
  );
}
