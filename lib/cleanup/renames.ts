import * as z from "zod/mini";
import * as users from "../accounts/users.ts";
import * as comments from "../posts/comments.ts";
import { authorParts, isPost, postOrVotersItem } from "../posts/posts.ts";
import { setFields, stillHas } from "../table/changes.ts";
import { idIn, key, prefix } from "../table/keys.ts";
import { check, type Part } from "../table/parts.ts";
import { range } from "../table/ranges.ts";
import { getMany, getOrThrow, pagesOf } from "../table/reads.ts";
import { replanned } from "../table/retries.ts";
import { removeAlone } from "../table/single-writes.ts";
import { transact } from "../table/transactions.ts";
import { VoteItem, voterParts } from "../votes/votes.ts";

// The name and role of a user (users.ts, `Shown`) are stored in each of the user's posts, comments and votes. A change
// of the name or role adds a job in its own transaction. The job walks twice through the user's items, which name these
// posts, comments and votes, and writes name and role wherever they differ. Each write checks in its transaction that
// the account has not changed since it was read.
//
// Twice, because a request that read the account before the change may write the old name after the first
// walk. When the second walk begins (SETTLE_MS later), all such requests have ended, and later ones read the new name.

/** Parses a stored job: where its walk continues, and when its second walk may begin. */
export const RenameItem = z.object({
  userId: z.string(),
  after: z.optional(z.string()),
  settledAt: z.optional(z.number()),
});
type Rename = z.infer<typeof RenameItem>;

/** How long a request may write the old name after the first walk: functions run ten seconds at most. */
export const SETTLE_MS = 15_000;

const PAGE = 50;
// The most posts and votes in one transaction: a larger one would meet more votes of others on the same posts.
const GROUP = 10;

/** Continues a job. Returns "more" if `isOver` interrupted a walk, and a time if its second walk may not begin yet. */
export async function carryOut(
  jobId: string,
  now = Date.now(),
  isOver = () => false,
): Promise<"done" | "more" | { notBefore: number }> {
  const job = await getOrThrow(key.rename(jobId), RenameItem);
  if (!job) return "done";
  if (job.settledAt !== undefined && now < job.settledAt) return { notBefore: job.settledAt };
  if ((await walk(jobId, job, isOver)) === "more") return "more";
  if (job.settledAt === undefined) {
    const notBefore = Date.now() + SETTLE_MS;
    await saveProgress(jobId, { settledAt: notBefore, after: undefined });
    return { notBefore };
  }
  await removeAlone(key.rename(jobId));
  return "done";
}

async function saveProgress(jobId: string, progress: Partial<Rename>): Promise<void> {
  await transact({ job: setFields(key.rename(jobId), progress) });
}

const TrailItem = z.object({ sk: z.string(), voteId: z.optional(z.string()), postId: z.optional(z.string()) });
type Trail = z.output<typeof TrailItem>[];

async function walk(jobId: string, { userId, after }: Rename, isOver: () => boolean): Promise<"through" | "more"> {
  for await (const page of pagesOf(range.userTrail(userId, after), TrailItem, { pageSize: PAGE })) {
    const read = () => readOutdated(page, userId);
    await replanned(await read(), read, write);
    const last = page.at(-1);
    if (last && page.length === PAGE) {
      await saveProgress(jobId, { after: last.sk });
      if (isOver()) return "more";
    }
  }
  return "through";
}

/** The account as it was read, and the parts that write its name and role, for each post or vote that shows others. */
type Outdated = { user: users.UserRecord | undefined; parts: Record<string, Part>[] };

async function readOutdated(trail: Trail, userId: string): Promise<Outdated> {
  const those = (kind: string) => trail.filter(({ sk }) => sk.startsWith(kind));
  const userVotes = those(prefix.vote).map(({ sk, voteId = "" }) => ({ postId: idIn(sk), voteId }));
  const voteKeys = userVotes.map(({ postId, voteId }) => key.vote(postId, voteId));
  const postIds = those(prefix.post).map(({ sk }) => idIn(sk));
  // A comment may have become a note since, or a note a comment.
  const commentKeys = those(prefix.comment).flatMap(({ sk, postId = "" }) => [
    key.comment(postId, idIn(sk)),
    key.note(postId, idIn(sk)),
  ]);
  const [user, userComments, votes, postsAndVoters] = await Promise.all([
    users.find(userId),
    getMany(commentKeys, comments.CommentItem),
    getMany(voteKeys, VoteItem),
    getMany([...postIds.map(key.post), ...userVotes.map(({ postId }) => key.voters(postId))], postOrVotersItem),
  ]);
  if (!user) return { user, parts: [] };
  const shown = users.shownOf(user);
  const parts = postsAndVoters.map((item) => {
    if (isPost(item)) return item.author.userId === userId ? authorParts(item, shown) : {};
    const voteId = userVotes.find(({ postId }) => postId === item.postId)?.voteId;
    const vote = votes.find((stored) => stored.voteId === voteId);
    return vote ? voterParts(vote, item, shown) : {};
  });
  parts.push(...userComments.map((comment) => comments.authorParts(comment, shown)));
  return { user, parts: parts.filter((ofOne) => Object.keys(ofOne).length > 0) };
}

async function write({ user, parts }: Outdated): Promise<"through" | "changed meanwhile"> {
  if (!user) return "through";
  const { userId, name, role } = user;
  const asRead = check(key.user(userId), stillHas({ name, role }));
  let isThrough = true;
  for (let start = 0; start < parts.length; start += GROUP) {
    const some = parts.slice(start, start + GROUP);
    isThrough &&= (await transact<string>({ user: asRead, ...Object.assign({}, ...some) })).done;
  }
  return isThrough ? "through" : "changed meanwhile";
}
