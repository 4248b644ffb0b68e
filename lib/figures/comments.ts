import type { EventRecord } from "../events/events.ts";
import * as events from "../events/events.ts";
import { DAY_MS, dayAt } from "../values/days.ts";
import { firstIdOf, timeOf } from "../values/ids.ts";

/** The first day (`yyyy-mm-dd`) of which all events are still there. */
export function knownSince(now: number): string {
  return dayAt(now - (events.EVENT_DAYS - 1) * DAY_MS);
}

type Public = { postId: string; day: string };

/** Follows what events say about public comments. */
function follow(comments: Map<string, Public>, { eventId, type, postId = "", commentId = "" }: EventRecord): void {
  if (type === "comment.created") comments.set(commentId, { postId, day: dayAt(timeOf(eventId)) });
  if (type === "comment.deleted") comments.delete(commentId);
  if (type === "post.deleted") {
    for (const [id, comment] of comments) if (comment.postId === postId) comments.delete(id);
  }
}

/**
 * Counts the public comments by the day on which they became public, without deleted ones; `since`: the first day of
 * which all events are known. Of days before it nothing is read.
 */
export async function countComments(
  { from, to }: { from: string; to: string },
  since: string,
): Promise<Record<string, number>> {
  if (to < since) return {};
  const comments = new Map<string, Public>();
  for await (const page of events.pagesFrom(firstIdOf(from < since ? since : from)))
    for (const each of page) follow(comments, each);
  const numbers: Record<string, number> = {};
  for (const { day } of comments.values()) numbers[day] = (numbers[day] ?? 0) + 1;
  return numbers;
}
