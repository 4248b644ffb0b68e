import { key, mark } from "../table/keys.ts";
import { type Part, put } from "../table/parts.ts";
import { newId } from "../values/ids.ts";

// Things that come into the queue of the team have no event, because nobody else may learn of them. The team may.
// docs/data-model.md#the-digest

/** The part that says of something that it has come into the queue. */
export function queueNewsPart(id: string): Part {
  return put(key.queueNews(id, newId()), {});
}

/** What has come into the queue, by the id of the news; undefined if it is the news of an event. */
export function cameToQueue(newsId: string): string | undefined {
  return newsId.startsWith(mark.queue) ? newsId.slice(mark.queue.length).split("#", 1)[0] : undefined;
}
