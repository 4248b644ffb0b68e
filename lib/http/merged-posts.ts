import { visibleBoards } from "../auth/visibility.ts";
import * as boards from "../catalogue/boards.ts";
import { lastOfChain, type MergedPost } from "../posts/merged-posts.ts";
import type { PostRecord } from "../posts/posts.ts";
import * as voting from "../votes/voting.ts";
import type { Caller } from "./callers.ts";

// A call that names a merged post is carried out on the post that it continues in. It is looked for only when no post
// is found, so calls for other posts cost nothing more.

/** What functions that look for merged posts need, for `table` in a definition. */
export const MERGED_POSTS = { MERGED: ["get"], POSTS: ["get"], CATALOGUE: ["get"] } as const;

/** What `takeBackOn` needs, for `table` in a definition. */
export const TAKES_BACK = {
  ...MERGED_POSTS,
  USER: ["get", "delete"],
  POSTS: ["get", "update"],
  VOTES: ["query", "delete", "check"],
  MERGED: ["get", "query", "update", "delete", "check"],
} as const;

/**
 * The post in which a merged one continues; undefined if there is none, or none on a board that the caller sees. A post
 * that was taken out of its merge meanwhile is found itself, without `merged`.
 */
export async function whereItContinues(
  postId: string,
  caller: Caller | undefined,
): Promise<{ post: PostRecord; merged?: MergedPost | undefined } | undefined> {
  const found = await lastOfChain(postId);
  if (!found?.merged || found.post.boardId === undefined) return found;
  const board = await boards.find(found.post.boardId);
  return board && visibleBoards(caller, [board]).length === 0 ? undefined : found;
}

/** Reads something of the post in which a merged one continues; undefined if the caller finds none. */
export async function readWhereItContinues<T>(
  postId: string,
  caller: Caller | undefined,
  read: (postId: string) => Promise<T>,
): Promise<T | undefined> {
  const next = await whereItContinues(postId, caller);
  return next && read(next.post.postId);
}

// A post may be merged between two looks.
const MOST_TRIES = 3;

/**
 * Does something to a post, or to the one in which it continues. Returns the id of the one to which it was done. What
 * was read before counts only if `isFirst`: the post may have been taken out of its merge since then.
 */
export async function onPost<Outcome>(
  named: string,
  caller: Caller | undefined,
  act: (postId: string, isFirst: boolean) => Promise<Outcome | "no such post">,
): Promise<{ postId: string; outcome: Outcome | "no such post" }> {
  let postId = named;
  for (let attempt = 1; ; attempt++) {
    const outcome = await act(postId, attempt === 1);
    if (outcome !== "no such post" || attempt === MOST_TRIES) return { postId, outcome };
    const next = await whereItContinues(named, caller);
    if (!next) return { postId, outcome };
    postId = next.post.postId;
  }
}

/** Takes a vote back from a post, as it was read, or from the one in which it continues; `onTry` is told from which. */
export async function takeBackOn(
  named: string,
  caller: Caller | undefined,
  userId: string,
  asRead: voting.OwnVote,
  onTry?: (on: { item: string }) => void,
): Promise<{ postId: string; outcome: Awaited<ReturnType<typeof voting.takeBack>> }> {
  let read: voting.OwnVote | undefined = asRead;
  for (let attempt = 1; ; attempt++) {
    const first = read;
    const result = await onPost(named, caller, async (id, isFirst) => {
      onTry?.({ item: id });
      return voting.takeBack(id, userId, (isFirst ? first : undefined) ?? (await voting.ownVote(id, userId)));
    });
    const isElsewhere = result.outcome === "had not voted" && result.postId !== named;
    if (!isElsewhere || attempt === MOST_TRIES) return result;
    // Its votes may have returned before they were looked for in the other post.
    const now = await lastOfChain(named);
    if (now?.post.postId === result.postId) return result;
    read = undefined;
  }
}
