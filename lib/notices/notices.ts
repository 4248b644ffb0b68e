import * as z from "zod/mini";
import type { Announcer } from "../events/announce.ts";
import { canSend } from "../mail/transport.ts";
import { key } from "../table/keys.ts";
import { put } from "../table/parts.ts";
import { getOrThrow } from "../table/reads.ts";
import { removeAlone, updateAlone } from "../table/single-writes.ts";

/** The job that mails an event to its readers; `place` is the last reader that is known to have it. */
export const NoticeItem = z.object({
  sk: z.string(),
  postId: z.string(),
  by: z.string(),
  commentId: z.optional(z.string()),
  // The letter of the new status; absent for `open`.
  to: z.optional(z.string()),
  hasNewStatus: z.boolean(),
  hasResponse: z.boolean(),
  place: z._default(z.string(), ""),
});
export type Notice = z.output<typeof NoticeItem>;

/** Makes the job of a new status, an official response or a comment, where mails can be sent. */
export const announcer: Announcer = {
  table: { NOTICES: ["put"] },
  partsFor: async ({ eventId, type, postId, by, commentId, from, to, changed = [] }) => {
    const [hasNewStatus, hasResponse] = [from !== to, changed.includes("response")];
    const isNews = type === "comment.created" || (type === "post.status_changed" && (hasNewStatus || hasResponse));
    if (!isNews || !canSend()) return {};
    return { notice: put(key.notice(eventId), { postId, by, commentId, to, hasNewStatus, hasResponse }) };
  },
};

/** Reads a job; undefined if it is done. */
export function find(eventId: string): Promise<Notice | undefined> {
  return getOrThrow(key.notice(eventId), NoticeItem);
}

export async function notePlace(eventId: string, place: string): Promise<void> {
  await updateAlone(key.notice(eventId), "SET #place = :place", {
    if: "attribute_exists(pk)",
    names: { "#place": "place" },
    values: { ":place": place },
  });
}

export function done(eventId: string): Promise<void> {
  return removeAlone(key.notice(eventId));
}
