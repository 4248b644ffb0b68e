import * as users from "../accounts/users.ts";
import * as boards from "../catalogue/boards.ts";
import { eventParts } from "../events/events.ts";
import type { Part } from "../table/parts.ts";
import { replanned } from "../table/retries.ts";
import { transact } from "../table/transactions.ts";
import { newId, timeOf } from "../values/ids.ts";
import { slugOf } from "../values/slugs.ts";
import { newCommentIn } from "./comment-changes.ts";
import { countOutPart, endParts, type Held, type HeldComment, type HeldPost, idsOfHeld, takeOut } from "./held.ts";
import { lastOfChain } from "./merged-posts.ts";
import { newPostParts, type PostRecord } from "./posts.ts";

// The team decides held posts and comments. Each decision is one transaction: it takes the item out of the queue, on
// condition that it is there, and does what follows. So of many decisions in parallel one succeeds, and an approval
// makes news once.

/** The outcome of a decision; "gone": the post that a comment is for, or the author, is deleted. */
export type Outcome = "approved" | "declined" | "already_decided" | "gone";

/** The parts of an event under a new id: who reads events by their order meets it now, not where the id lies. */
function newsOf(event: Parameters<typeof eventParts>[0], name: string): Record<string, Part> {
  const parts = eventParts(event);
  return Object.fromEntries(Object.entries(parts).map(([part, write]) => [`${name} ${part}`, write]));
}

/** The board of an approved post: its own, or the oldest that everybody sees if that is gone. */
async function boardOf({ boardId }: HeldPost): Promise<string | undefined> {
  const own = boardId === undefined ? undefined : await boards.find(boardId);
  if (own) return own.boardId;
  return (await boards.all()).find(({ display }) => display)?.boardId;
}

async function approvePost(held: HeldPost, by: string): Promise<Outcome> {
  const { id: postId, userId, title, contentMarkdown } = held;
  const read = () => Promise.all([users.find(userId), boardOf(held)]);
  return replanned(await read(), read, async ([author, boardId]): Promise<Outcome | "changed meanwhile"> => {
    if (!author) return "gone";
    const slug = slugOf(title, postId);
    const post: PostRecord = {
      postId,
      title,
      slug,
      contentMarkdown,
      boardId,
      author: users.shownOf(author),
      updatedAt: timeOf(postId),
    };
    const outcome = await transact<string>({
      ...endParts(held),
      account: countOutPart(held, { accepted: true }),
      ...newPostParts(post),
      ...newsOf({ type: "post.created", postId, boardId, by: userId }, "created"),
      ...newsOf({ type: "post.approved", postId, boardId, by }, "approved"),
    });
    if (outcome.done) return "approved";
    if (outcome.failed.held) return "already_decided";
    if (outcome.failed.account) return "gone";
    // The board is gone, or a decision that is being committed has made the post, and not yet ended the wait.
    return "changed meanwhile";
  });
}

async function approveComment(held: HeldComment, onPlace: (postId: string) => void): Promise<Outcome> {
  const { id: commentId, userId, body, parentId } = held;
  const read = () => Promise.all([users.find(userId), lastOfChain(held.postId)]);
  return replanned(await read(), read, async ([author, found]): Promise<Outcome | "changed meanwhile"> => {
    if (!author || !found) return "gone";
    const { postId } = found.post;
    const comment = { postId, commentId, author: users.shownOf(author), body, parentId, isInternal: false };
    onPlace(postId);
    const outcome = await transact<string>({
      ...endParts(held),
      account: countOutPart(held, { accepted: true }),
      // The team lets it in, also on a post that is locked by now.
      ...newCommentIn(comment, { isOfTeam: true, eventId: newId() }),
    });
    if (outcome.done) return "approved";
    if (outcome.failed.held) return "already_decided";
    if (outcome.failed.account) return "gone";
    // The post was merged or deleted, or a decision is being committed that has made the comment.
    return "changed meanwhile";
  });
}

/**
 * Creates a held post or comment, as if it were new, under its id. One that cannot be created ("gone") still waits.
 * `onPlace` is told before it on which post a comment will be.
 */
export function approve(held: Held, by: string, onPlace: (postId: string) => void = () => {}): Promise<Outcome> {
  return held.kind === "post" ? approvePost(held, by) : approveComment(held, onPlace);
}

/** Declines something. Nobody is told. */
export async function decline(held: Pick<Held, "id" | "userId">): Promise<Outcome> {
  return (await takeOut(held)) ? "declined" : "already_decided";
}

/** Takes what else of an account waits out of the queue, `most` at most, the newest first. Returns how many. */
export async function declineAllOf(userId: string, most: number, except: string[]): Promise<number> {
  const read = async () => (await idsOfHeld(userId)).filter((id) => !except.includes(id)).slice(0, most);
  return replanned(await read(), read, async (waiting): Promise<number | "changed meanwhile"> => {
    if (waiting.length === 0) return 0;
    const ends = waiting.flatMap((id) => Object.values(endParts({ id, userId })));
    const outcome = await transact<string>({
      ...Object.fromEntries(ends.map((part, at) => [`end ${at}`, part])),
      account: countOutPart({ userId }, { n: waiting.length }),
    });
    if (outcome.done) return waiting.length;
    // An account that is gone has an erasure, which takes them out.
    return outcome.failed.account ? 0 : "changed meanwhile";
  });
}
