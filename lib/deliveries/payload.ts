import * as z from "zod/mini";
import * as catalogue from "../catalogue/catalogue.ts";
import type { EventRecord } from "../events/events.ts";
import { withoutHiddenOrigins } from "../http/moved-comments.ts";
import { onePost } from "../http/one-post.ts";
import { Activity, activityView } from "../http/resources/comments.ts";
import { eventView } from "../http/resources/events.ts";
import { Post } from "../http/resources/posts.ts";
import { findByQuery, withoutNoteParents } from "../posts/comments.ts";
import { find, findWithVoters } from "../posts/posts.ts";
import { createdAt } from "../values/ids.ts";

// Messages hold what an anonymous reader sees when they are sent: nothing of notes and of posts on hidden boards.

/** The data of messages, by the first word of their type; `post` and `comment` are absent once they are deleted. */
export const messageData = {
  post: z.object({
    postId: z.string(),
    changed: z.optional(z.array(z.string())),
    from: z.optional(z.string()),
    to: z.optional(z.string()),
    into: z.optional(z.string()),
    post: z.optional(Post),
  }),
  comment: z.object({ postId: z.string(), commentId: z.string(), comment: z.optional(Activity) }),
  user: z.object({ userId: z.string() }),
  webhook: z.object({ webhookId: z.string() }),
};

/** The message of an event; undefined if it is not for everybody, or about a comment whose post is gone. */
export async function payloadOf(event: EventRecord) {
  const data = await dataOf(event);
  return data && { type: event.type, timestamp: createdAt(event.eventId), data };
}

async function dataOf(event: EventRecord) {
  const { type, postId, boardId, into, commentId } = event;
  if (type === "webhook.disabled") return messageData.webhook.parse(event);
  if (postId === undefined) return messageData.user.parse(event);
  const [found, other, entries, comment] = await Promise.all([
    findWithVoters(postId),
    into === undefined ? undefined : find(into),
    catalogue.read(),
    commentId === undefined ? undefined : findByQuery({ postId, commentId, isInternal: false }),
  ]);
  const places = [boardId, found?.post.boardId, other?.boardId];
  if (entries.boards.some((board) => !board.display && places.includes(board.boardId))) return undefined;
  if (commentId !== undefined) {
    const [seen] = found && comment ? await withoutHiddenOrigins(await withoutNoteParents([comment]), undefined) : [];
    return found && messageData.comment.parse({ ...event, comment: seen && activityView(seen) });
  }
  const post = found && onePost({ ...found, ownVote: undefined, catalogue: entries }, undefined);
  const { from, to } = eventView(event, entries.statuses);
  return messageData.post.parse({ ...event, from: from?.id, to: to?.id, post });
}
