import { tokensOf } from "../accounts/unsubscribe-tokens.ts";
import type { UserRecord } from "../accounts/users.ts";
import { countCommentLetter, countNews } from "../mail/bounds.ts";
import { setAlone } from "../table/changes.ts";
import type { Outcome } from "../table/due.ts";
import { key } from "../table/keys.ts";
import { getOrThrow } from "../table/reads.ts";
import { removeAlone } from "../table/single-writes.ts";
import { CommentJobItem } from "./comment-jobs.ts";
import { isOfTeam, letterOfComment, type NewsOfComment, newsOfComment } from "./news.ts";
import { send, tellAll } from "./telling.ts";

/** Tells the readers of a comment, or one reader of the last of several. */
export async function tellOfComment(jobId: string, isOver: () => boolean): Promise<Outcome> {
  const job = await getOrThrow(key.notice(jobId), CommentJobItem);
  if (!job) return "done";
  if (Date.now() < job.at) return { notBefore: job.at };
  const news = await newsOfComment(job);
  if (news) {
    const outcome = await tellAll(jobId, job.place, news, (user) => tellComment(user, news), isOver);
    if (outcome !== "done") return outcome;
  }
  await removeAlone(key.notice(jobId));
  return "done";
}

/** Tells a reader of a comment now, or of the last of several at the end of the hour or day. */
async function tellComment(user: UserRecord, news: NewsOfComment): Promise<number | undefined> {
  const { eventId, post, by, comment } = news;
  const hourEnds = await countCommentLetter(user.userId, post.postId);
  const full = hourEnds === undefined ? await countNews({ user, by, isOfTeam: isOfTeam(comment) }) : undefined;
  const later = hourEnds ?? (full?.readerHadEnough ? full.at : undefined);
  if (later !== undefined) {
    await setAlone(key.laterNotice(post.postId, user.userId, later), { rest: eventId }, {});
    return undefined;
  }
  if (full) return full.at;
  await send(user, letterOfComment(user, news, await tokensOf(user.userId)));
  return undefined;
}
