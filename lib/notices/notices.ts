import { mailPart } from "../accounts/outbox.ts";
import * as site from "../accounts/site.ts";
import * as users from "../accounts/users.ts";
import type { EventRecord } from "../events/events.ts";
import { canSend } from "../runtime/mail.ts";
import { key } from "../table/keys.ts";
import { type Part, put } from "../table/parts.ts";
import { changePart } from "./changes.ts";
import { digestPart } from "./digest.ts";
import { mergeNoticePart } from "./merge-jobs.ts";
import { newPostPart } from "./new-posts.ts";

// What people read of events by mail. `announce` turns an event into a job (`noticeParts`); `send-notices` carries the
// jobs out, and tells by the id of a job what it mails:
//
//   id                   | it mails                                  | made by       | carried out by
//   <event>              | a comment, to its readers                 | here          | tell-comment.ts
//   <post>#<user>#<time> | the last comment, to who had too many     | tell-comment  | tell-comment.ts
//   !<post>[#<user>]     | status and response, to readers of a post | changes       | tell-changes.ts
//   &<post>[#<user>]     | a merge, to readers of the duplicate      | merge-jobs    | tell-merge.ts
//   +                    | new posts, to the team                    | new-posts     | tell-new-posts.ts
//   *                    | the queue, to the team                    | digest        | tell-digest.ts
//
// A job notes the last reader who got a letter. An attempt that is killed repeats one letter at most; the digest
// repeats none.

/** The kind of news that an event is: a comment, another status, or an official response alone. */
export function kindOf({ type, from, to, changed = [] }: EventRecord): "comment" | "status" | "response" | undefined {
  if (type === "comment.created") return "comment";
  if (type !== "post.status_changed") return undefined;
  if (from !== to) return "status";
  return changed.includes("response") ? "response" : undefined;
}

function mergeParts({ eventId, postId, quiet }: EventRecord): Record<string, Part> {
  return quiet || postId === undefined ? {} : { notice: mergeNoticePart({ eventId, postId }) };
}

/**
 * Parts, where mails can be sent: the job of an event with news, whose condition fails if it has changed meanwhile; for
 * a disabled webhook the mail to the owner.
 */
export async function noticeParts(event: EventRecord): Promise<Record<string, Part>> {
  if (!canSend()) return {};
  if (event.type === "post.merged") return mergeParts(event);
  const kind = kindOf(event);
  if (kind === "comment") return { notice: put(key.notice(event.eventId), {}) };
  if (kind) return event.quiet ? {} : { notice: await changePart(event) };
  if (event.type === "post.created") {
    const newPosts = await newPostPart(event);
    return newPosts ? { newPosts } : {};
  }
  if (event.type !== "webhook.disabled") return {};
  const { ownerId = "" } = (await site.find()) ?? {};
  const owner = await users.find(ownerId);
  const mail = owner && mailPart({ to: owner.email, userId: ownerId, template: "webhook-disabled" });
  return mail ? { mail } : {};
}

/** The part that adds something in the queue to the digest, where mails can be sent and a reader chose it. */
export async function queueParts(id: string): Promise<Record<string, Part>> {
  const digest = canSend() ? await digestPart(id) : undefined;
  return digest ? { digest } : {};
}
