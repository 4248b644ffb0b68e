import { tokensOf } from "../accounts/unsubscribe-tokens.ts";
import * as users from "../accounts/users.ts";
import { countNews } from "../mail/bounds.ts";
import { setAlone, stillHas, stored } from "../table/changes.ts";
import type { Outcome } from "../table/due.ts";
import { key } from "../table/keys.ts";
import { removeAlone } from "../table/single-writes.ts";
import {
  findJob,
  letterOfPosts,
  type NewPosts,
  type NewPostsJob,
  postsFor,
  QUARTER_MS,
  readNewPosts,
} from "./new-posts.ts";
import { send } from "./telling.ts";

/** Tells the team of the posts of a quarter of an hour. Later posts begin another one. */
export async function tellOfNewPosts(isOver: () => boolean): Promise<Outcome> {
  const own = key.newPosts();
  const job = await findJob();
  if (!job) return "done";
  if (Date.now() < job.at) return { notBefore: job.at };
  const news = await readNewPosts(job);
  const { upTo = newestIn(job, news) } = job;
  if (!job.upTo) {
    // A post that was approved meanwhile is not among the news that were read: they are read again.
    const asRead = stillHas({ upTo: undefined, also: stored(job.also) });
    if (!(await setAlone(own, { upTo }, asRead)).done) return "more";
  }
  for (const userId of news.readers.filter((each) => each > job.place)) {
    const notBefore = await tellNewPosts(userId, news);
    if (notBefore !== undefined) return { notBefore };
    await setAlone(own, { place: userId });
    if (isOver()) return "more";
  }
  // With `later`, a post came after the ones of this letter: there will be another letter.
  await removeAlone(own, stillHas({ later: undefined }));
  const left = await findJob();
  if (!left) return "done";
  const also = stored(left.alsoLater);
  const at = Date.now() + QUARTER_MS;
  const next = { after: upTo, at, place: "", upTo: undefined, later: undefined, also, alsoLater: undefined };
  // A post that was approved meanwhile is not in `also` yet: the job is read again.
  const begun = await setAlone(own, next, stillHas({ upTo, alsoLater: also }));
  return begun.done ? { notBefore: at } : "more";
}

/** The newest post of a letter. */
function newestIn({ after, first }: NewPostsJob, { posts }: NewPosts): string {
  return posts.reduce((newest, { postId }) => (postId > newest ? postId : newest), after ?? first);
}

async function tellNewPosts(userId: string, news: NewPosts): Promise<number | undefined> {
  const user = await users.find(userId);
  const posts = user ? postsFor(user, news) : [];
  if (!user || posts.length === 0) return undefined;
  const full = await countNews({ user, by: "new posts", isOfTeam: true });
  if (full) return full.readerHadEnough ? undefined : full.at;
  await send(user, letterOfPosts(user, posts, news, await tokensOf(userId)));
  return undefined;
}
