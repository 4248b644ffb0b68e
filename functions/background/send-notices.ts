import { defineWork } from "../../lib/background.ts";
import { isOfChanges } from "../../lib/notices/changes.ts";
import { isOfMerge } from "../../lib/notices/merge-jobs.ts";
import { tellOfChanges } from "../../lib/notices/tell-changes.ts";
import { tellOfComment } from "../../lib/notices/tell-comment.ts";
import { tellOfQueue } from "../../lib/notices/tell-digest.ts";
import { tellOfMerge } from "../../lib/notices/tell-merge.ts";
import { tellOfNewPosts } from "../../lib/notices/tell-new-posts.ts";
import { isWithoutMail } from "../../lib/runtime/mail.ts";
import type { Outcome } from "../../lib/table/due.ts";
import { key } from "../../lib/table/keys.ts";
import { removeAlone } from "../../lib/table/single-writes.ts";

/** Mails comments, changes of posts, merges, new posts and the digest of the queue to those who want them. */
export const work = defineWork(
  {
    name: "send-notices",
    takes: "NOTICES",
    sendsMail: true,
    table: {
      NOTICES: ["get", "updateAlone", "deleteAlone"],
      EVENTS: ["get"],
      POSTS: ["get", "query"],
      ACTIVITY: ["get"],
      NOTES: ["get"],
      HELD: ["get", "query"],
      CATALOGUE: ["get", "query"],
      SITE: ["get", "query"],
      USER: ["get", "check"],
      SUBSCRIPTIONS: ["get", "query"],
      VOTES: ["get", "query"],
      MERGED: ["get", "query"],
      UNSUBSCRIBE: ["get", "put"],
      RATE: ["updateAlone"],
    },
  },
  async (jobId, isOver) => {
    if (isWithoutMail()) {
      await removeAlone(key.notice(jobId));
      return "done";
    }
    return tell(jobId, isOver);
  },
);

/** Mails what a job is for, by its id: see the table in lib/notices/notices.ts. */
function tell(jobId: string, isOver: () => boolean): Promise<Outcome> {
  if (jobId === key.newPosts().sk) return tellOfNewPosts(isOver);
  if (jobId === key.digest().sk) return tellOfQueue(isOver);
  if (isOfMerge(jobId)) return tellOfMerge(jobId, isOver);
  return isOfChanges(jobId) ? tellOfChanges(jobId, isOver) : tellOfComment(jobId, isOver);
}
