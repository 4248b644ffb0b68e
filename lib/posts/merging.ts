import * as z from "zod/mini";
import { pinParts } from "../catalogue/pins.ts";
import { type StatusList, sameList } from "../catalogue/statuses.ts";
import { eventParts } from "../events/events.ts";
import { stillHas } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { create, type Part, remove, update } from "../table/parts.ts";
import { type PostList, placementOf } from "../table/post-lists.ts";
import { replanned } from "../table/retries.ts";
import { transact } from "../table/transactions.ts";
import { newId } from "../values/ids.ts";
import { summary } from "../votes/votes.ts";
import { newVoters } from "../votes/weights.ts";
import { duplicatesOf, findEither, findMerged, lastOfChain, type MergedPost, MOST_HOPS } from "./merged-posts.ts";
import { listsWithoutOwner, placementParts } from "./placement.ts";
import * as posts from "./posts.ts";

// A merge and its undoing begin with one transaction, which moves the post and locks the other one for further merges.
// A job then moves what belongs to the post, and takes the lock away: lib/cleanup/merges.ts.

/** Parses a stored job, which has an id of its own: the other post, and whether the votes go back. */
export const MergeItem = z.object({
  id: z.string(),
  into: z.string(),
  // Of the duplicate.
  boardId: z.optional(z.string()),
  back: z.optional(z.literal(true)),
});

/** The kinds of conflicts between posts that are to be merged or parted. */
export const mergeConflicts = [
  "same_post",
  "merged_already",
  "merged_itself",
  "being_moved",
  "chain_too_long",
] as const;
export type ConflictKind = (typeof mergeConflicts)[number];

/** Why a merge is refused; `last` is the end of the chain that the other post is in. */
export type Conflict =
  | { conflict: Exclude<ConflictKind, "merged_itself"> }
  | { conflict: "merged_itself"; last: string };

const words = {
  same_post: "A post cannot be merged into itself",
  merged_already: "The post was merged into another one already: undo that first",
  being_moved: "Votes of one of the posts are being moved: try again in a minute",
  chain_too_long: `At most ${MOST_HOPS} merges lead from a post to the one in which it continues`,
} as const;

/** A conflict in words. */
export function textOf(refused: Conflict): string {
  if (refused.conflict !== "merged_itself") return words[refused.conflict];
  return `That post was merged itself; it continues in the post ${refused.last}`;
}

/** Condition: nothing is moved to or from the post of a voters item. */
const AT_REST = "attribute_not_exists(incoming) AND attribute_not_exists(outgoing) AND attribute_not_exists(regaining)";

/** Part: locks a post for the time in which votes come in or go out. */
function lockPart(postId: string, name: "incoming" | "outgoing", other: string): Part {
  return update(key.voters(postId), "SET #move = :other ADD moves :one", {
    if: `attribute_exists(pk) AND ${AT_REST}`,
    names: { "#move": name },
    values: { ":other": other, ":one": 1 },
  });
}

/** Why a post cannot take part in a merge, from the item that was found in place of its unlocked voters. */
async function conflictOf(postId: string, found: unknown): Promise<Conflict | "no such post"> {
  if (found !== "no item") return { conflict: "being_moved" };
  const last = await lastOfChain(postId);
  if (!last) return "no such post";
  // It was taken out of its merge in between.
  if (!last.merged) return { conflict: "being_moved" };
  return { conflict: "merged_itself", last: last.post.postId };
}

async function refusalOf(into: string, found: unknown): Promise<Conflict | "no such target"> {
  const conflict = await conflictOf(into, found);
  return conflict === "no such post" ? "no such target" : conflict;
}

type MergeOptions = {
  notify?: boolean | undefined;
  /** Is told before it whose post is merged. */
  onFound?: (found: { account: string }) => void;
};

/** Merges a post into another one. The job that moves its votes is left to background work. */
export async function merge(
  postId: string,
  into: string,
  by: string,
  { notify, onFound }: MergeOptions = {},
): Promise<"merging" | "no such post" | "no such target" | Conflict> {
  if (postId === into) return { conflict: "same_post" };
  const gone: PostList[] = [];
  const read = () => Promise.all([posts.findWithVoters(postId), summary(into)]);
  return replanned(await read(), read, async ([found, target]) => {
    if (!found) return afterwards(postId, into, target !== undefined);
    const { post, voters } = found;
    // After the voters: a merge into this post changes `moves`, on which the transaction depends.
    const height = Math.max(-1, ...(await duplicatesOf(postId)).map((each) => each.height)) + 1;
    if (height + 1 > MOST_HOPS) return { conflict: "chain_too_long" };
    const { moves, incoming, outgoing, regaining } = voters.move;
    if (incoming ?? outgoing ?? regaining) return { conflict: "being_moved" };
    if (!target) return refusalOf(into, "no item");
    const { postId: _, isPinned, ...fields } = post;
    onFound?.({ account: post.author.userId });
    const outcome = await transact<string>({
      merged: create(key.merged(postId), {
        ...fields,
        into,
        mergedAt: Date.now(),
        mergedBy: by,
        statuses: voters.statuses,
        moves: moves ?? 0,
      }),
      post: remove(
        key.post(postId),
        stillHas({ ...placementOf(post), updatedAt: post.updatedAt, author: post.author }),
      ),
      voters: remove(key.voters(postId), unmoved({ moves, statuses: voters.statuses })),
      duplicate: create(key.duplicate(into, postId), { height }),
      target: lockPart(into, "incoming", postId),
      job: create(key.merge(postId), { id: newId(), into, boardId: post.boardId }),
      ...(isPinned && pinParts(postId, false)),
      ...placementParts(postId, post, undefined, gone),
      ...eventParts({
        type: "post.merged",
        postId,
        boardId: post.boardId,
        into,
        by,
        ...(notify === false && { quiet: true }),
      }),
    });
    if (outcome.done) return "merging";
    const { failed } = outcome;
    if (failed.target) return refusalOf(into, failed.target);
    gone.push(...listsWithoutOwner(failed, post));
    return "changed meanwhile";
  });
}

function unmoved({ moves, statuses }: { moves: number | undefined; statuses: number }) {
  const asRead = stillHas({ moves, statuses: statuses || undefined });
  return { ...asRead, if: `${asRead.if} AND ${AT_REST}` };
}

/** What a merge of a post that is gone means: it may have been carried out before. */
async function afterwards(
  postId: string,
  into: string,
  isTargetThere: boolean,
): Promise<"merging" | "no such post" | "no such target" | "changed meanwhile" | Conflict> {
  const { merged, post } = await findEither(postId);
  // It was taken out of its merge in between.
  if (post) return "changed meanwhile";
  if (!merged) return "no such post";
  if (merged.into !== into) return { conflict: "merged_already" };
  return isTargetThere ? "merging" : refusalOf(into, "no item");
}

/** The status that a post comes back with: its own, unless that was archived or deleted since. */
function statusOnReturn({ post: { status }, mergedAt }: MergedPost, { statuses }: StatusList): string | undefined {
  const now = statuses.find(({ letter }) => letter === status);
  return now && !now.archived && (now.since ?? 0) <= mergedAt ? status : undefined;
}

/**
 * Takes a post out of its merge. The job that moves its votes back is left to background work. `onFound` is told
 * before it whose post is taken out.
 */
export async function unmerge(
  postId: string,
  by: string,
  readStatuses: () => Promise<StatusList>,
  onFound?: MergeOptions["onFound"],
): Promise<posts.PostRecord | "not merged" | "no such post" | Conflict> {
  const gone: PostList[] = [];
  const read = () => Promise.all([findMerged(postId), readStatuses()]);
  return replanned(await read(), read, async ([merged, list]) => {
    if (!merged) return "not merged";
    if (!merged.moved) return { conflict: "being_moved" };
    const { into, statuses, moves } = merged;
    const { updatedAt: before, author } = merged.post;
    const updatedAt = Math.max(Date.now(), before + 1);
    const post = { ...merged.post, status: statusOnReturn(merged, list), updatedAt };
    const { postId: _, ...fields } = post;
    onFound?.({ account: author.userId });
    const outcome = await transact<string>({
      post: create(key.post(postId), fields),
      voters: create(key.voters(postId), {
        ...newVoters(post),
        ...(statuses > 0 && { statuses }),
        regaining: into,
        moves: moves + 1,
      }),
      merged: remove(key.merged(postId), stillHas({ into, updatedAt: before, author, moved: true })),
      duplicate: remove(key.duplicate(into, postId)),
      target: lockPart(into, "outgoing", postId),
      job: create(key.merge(postId), { id: newId(), into, back: true }),
      statuses: sameList(list.version),
      ...placementParts(postId, undefined, post, gone),
      ...eventParts({ type: "post.unmerged", postId, boardId: post.boardId, into, by }),
    });
    if (outcome.done) return post;
    const { failed } = outcome;
    gone.push(...listsWithoutOwner(failed, post));
    if (!failed.target) return "changed meanwhile";
    // "no such post": the post that it was merged into is being deleted, and takes it along.
    return conflictOf(into, failed.target);
  });
}
