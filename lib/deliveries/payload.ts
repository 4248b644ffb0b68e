import * as z from "zod/mini";
import * as catalogue from "../catalogue/catalogue.ts";
import type { EventRecord } from "../events/events.ts";
import { onePost } from "../http/one-post.ts";
import { Activity, activityView } from "../http/resources/comments.ts";
import { eventView } from "../http/resources/events.ts";
import { Post } from "../http/resources/posts.ts";
import { asSeen, look } from "../posts/comments.ts";
import { findWithVoters } from "../posts/posts.ts";
import { createdAt } from "../values/ids.ts";

// Messages hold what an anonymous reader sees when they are sent: nothing of notes and of posts on hidden boards.

/** What happened to a post; `post` is absent once the post is deleted. */
export const PostData = z.object({
  postId: z.string(),
  changed: z.optional(z.array(z.string())),
  from: z.optional(z.string()),
  to: z.optional(z.string()),
  post: z.optional(Post),
});

/** What happened to a comment; `comment` is absent once it is deleted. */
export const CommentData = z.object({ postId: z.string(), commentId: z.string(), comment: z.optional(Activity) });

/** Who signed up. */
export const UserData = z.object({ userId: z.string() });

/** Which webhook. */
export const WebhookData = z.object({ webhookId: z.string() });

/** The body of a message. */
type Payload = { type: string; timestamp: string; data: object };

/** The message of an event; undefined if it is not for everybody, or about a comment whose post is gone. */
export async function payloadOf(event: EventRecord): Promise<Payload | undefined> {
  const { eventId, type, postId, boardId, commentId } = event;
  const message = (data: object): Payload => ({ type, timestamp: createdAt(eventId), data });
  if (type === "webhook.disabled") return message(WebhookData.parse(event));
  if (postId === undefined) return message(UserData.parse(event));
  const [found, entries, comment] = await Promise.all([
    findWithVoters(postId),
    catalogue.read(),
    commentId === undefined ? undefined : look({ postId, commentId, isInternal: false }),
  ]);
  const isHidden = entries.boards.some(
    (board) => !board.display && [boardId, found?.post.boardId].includes(board.boardId),
  );
  if (isHidden || (commentId !== undefined && !found)) return undefined;
  if (commentId !== undefined) {
    const [seen] = comment ? await asSeen([comment], false) : [];
    return message(CommentData.parse({ ...event, comment: seen && activityView(seen) }));
  }
  const post = found && onePost({ ...found, ownVote: undefined, catalogue: entries }, undefined);
  const { from, to } = eventView(event, entries.statuses);
  return message(PostData.parse({ ...event, from: from?.id, to: to?.id, post }));
}
