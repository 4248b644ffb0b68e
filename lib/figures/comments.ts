import type { EventRecord } from "../events/events.ts";
import * as events from "../events/events.ts";
import { DAY_MS, dayAt } from "../values/days.ts";
import { firstIdOf, timeOf } from "../values/ids.ts";

/** The first day (`yyyy-mm-dd`) of which all events are still there. */
export function knownSince(now: number): string {
  return dayAt(now - (events.EVENT_DAYS - 1) * DAY_MS);
}

type Public = { postId: string; day: string };

/** What events have said so far. */
type Story = {
  /** The public comments, by id. */
  comments: Map<string, Public>;
  /** What posts were merged into: their comments go with the post that they were merged into. */
  merged: Map<string, string>;
};

/** The post that shows the comments of a post. */
function shownWith(postId: string, story: Story): string {
  const into = story.merged.get(postId);
  return into ? shownWith(into, story) : postId;
}

function follow(story: Story, { eventId, type, postId = "", commentId = "", into = "" }: EventRecord): void {
  const { comments, merged } = story;
  if (type === "comment.created") comments.set(commentId, { postId, day: dayAt(timeOf(eventId)) });
  if (type === "comment.deleted") comments.delete(commentId);
  if (type === "post.merged") {
    // Events are in the order of clocks that may differ: what another post is merged into is merged no longer, even if
    // the end of its own merge came before its beginning. So no way leads in a circle.
    merged.delete(into);
    merged.set(postId, into);
  }
  if (type === "post.unmerged") merged.delete(postId);
  if (type === "post.deleted") {
    for (const [id, comment] of comments) if (shownWith(comment.postId, story) === postId) comments.delete(id);
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
  const story: Story = { comments: new Map(), merged: new Map() };
  for await (const page of events.pagesFrom(firstIdOf(from < since ? since : from)))
    for (const each of page) follow(story, each);
  const numbers: Record<string, number> = {};
  for (const { day } of story.comments.values()) numbers[day] = (numbers[day] ?? 0) + 1;
  return numbers;
}
