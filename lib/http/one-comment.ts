import * as comments from "../posts/comments.ts";
import * as votes from "../votes/votes.ts";
import type { Caller } from "./callers.ts";
import { readWhereItContinues } from "./merged-posts.ts";

/** How a call names a comment. */
type Named = { postId: string; commentId: string };

/** A comment that everybody sees, under the name by which it was found; undefined if its post is not there. */
export async function readComment(
  named: Named,
): Promise<{ named: Named; found: comments.CommentRecord | undefined } | undefined> {
  const [voters, found] = await Promise.all([
    votes.summary(named.postId),
    comments.find({ ...named, isInternal: false }),
  ]);
  return voters && { named, found };
}

/** The same of a merged post: its comments are on the post in which it continues. */
export function readCommentThere(named: Named, caller: Caller): ReturnType<typeof readComment> {
  return readWhereItContinues(named.postId, caller, (postId) => readComment({ ...named, postId }));
}
