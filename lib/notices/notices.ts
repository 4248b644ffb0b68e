import * as z from "zod/mini";
import { mailPart } from "../accounts/outbox.ts";
import * as site from "../accounts/site.ts";
import * as users from "../accounts/users.ts";
import type { EventRecord } from "../events/events.ts";
import { canSend } from "../runtime/mail.ts";
import { key } from "../table/keys.ts";
import { type Part, put } from "../table/parts.ts";

/**
 * The job that mails an event to its readers; `place` is the last one who has it. Or the job that mails one reader the
 * last event, `rest`, of an hour with too many.
 */
export const NoticeItem = z.object({ place: z._default(z.string(), ""), rest: z.optional(z.string()) });

/** The kind of news that an event is: a comment, another status, or an official response alone. */
export function kindOf({ type, from, to, changed = [] }: EventRecord): "comment" | "status" | "response" | undefined {
  if (type === "comment.created") return "comment";
  if (type !== "post.status_changed") return undefined;
  return from !== to ? "status" : changed.includes("response") ? "response" : undefined;
}

/** Parts, where mails can be sent: the job of an event with news; for a disabled webhook the mail to the owner. */
export async function noticeParts(event: EventRecord): Promise<Record<string, Part>> {
  if (!canSend()) return {};
  if (kindOf(event)) return { notice: put(key.notice(event.eventId), {}) };
  if (event.type !== "webhook.disabled") return {};
  const { ownerId = "" } = (await site.find()) ?? {};
  const owner = await users.find(ownerId);
  return owner ? { mail: mailPart({ to: owner.email, template: "webhook-disabled" }) } : {};
}
