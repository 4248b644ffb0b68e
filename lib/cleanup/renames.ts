import * as z from "zod/mini";
import * as users from "../accounts/users.ts";
import * as comments from "../posts/comments.ts";
import * as mergedPosts from "../posts/merged-posts.ts";
import { authorParts } from "../posts/posts.ts";
import { setFields, stillHas } from "../table/changes.ts";
import type { Outcome } from "../table/due.ts";
import { key } from "../table/keys.ts";
import { check, type Part } from "../table/parts.ts";
import { getOrThrow } from "../table/reads.ts";
import { replanned } from "../table/retries.ts";
import { SETTLE_MS } from "../table/settling.ts";
import { removeAlone } from "../table/single-writes.ts";
import { transact } from "../table/transactions.ts";
import { voterParts } from "../votes/votes.ts";
import { readMade, type TrailPage, trailOf } from "./trail.ts";

// The name and role of a user (users.ts, `Shown`) are stored in each of the user's posts, comments and votes. A change
// of the name or role adds a job in its own transaction. The job walks twice along the user's trail, and writes name
// and role wherever they differ. Each write checks in its transaction that the account has not changed since it was
// read.
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

const PAGE = 50;
// The most posts and votes in one transaction: a larger one would meet more votes of others on the same posts.
const GROUP = 10;

/** Continues a job. Returns "more" if `isOver` interrupted a walk, and a time if its second walk may not begin yet. */
export async function carryOut(jobId: string, now = Date.now(), isOver = () => false): Promise<Outcome> {
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

async function walk(jobId: string, { userId, after }: Rename, isOver: () => boolean): Promise<"through" | "more"> {
  for await (const page of trailOf(userId, { after, pageSize: PAGE })) {
    const read = () => readOutdated(page, userId);
    await replanned(await read(), read, write);
    if (page.next !== undefined) {
      await saveProgress(jobId, { after: page.next });
      if (isOver()) return "more";
    }
  }
  return "through";
}

/** The account as it was read, and the parts that write its name and role, for each post or vote that shows others. */
type Outdated = { user: users.UserRecord | undefined; parts: Record<string, Part>[] };

async function readOutdated(page: TrailPage, userId: string): Promise<Outdated> {
  const [user, made] = await Promise.all([users.find(userId), readMade(page)]);
  if (!user) return { user, parts: [] };
  const shown = users.shownOf(user);
  const parts = [
    ...made.posts.map((post) => (post.author.userId === userId ? authorParts(post, shown) : {})),
    ...made.merged.map((merged) =>
      merged.post.author.userId === userId ? mergedPosts.authorParts(merged, shown) : {},
    ),
    ...made.votes.map(({ vote, voters }) => voterParts(vote, voters, shown)),
    ...made.comments.map((comment) => comments.authorParts(comment, shown)),
  ];
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
