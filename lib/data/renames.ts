import * as z from "zod";
import { idIn, key, prefix, range } from "./keys.ts";
import { check, type Part, update } from "./parts.ts";
import { authorNameParts, isPost, PostOrVotersItem } from "./posts.ts";
import { get, getMany, getRange, pagesOf } from "./reads.ts";
import { replanned } from "./retries.ts";
import { removeAlone } from "./single-writes.ts";
import { transact } from "./transactions.ts";
import { nameParts, VoteItem } from "./votes.ts";

// A user's name is stored in each of the user's posts and votes. A rename adds a job in its own transaction. The job walks twice
// along the items that lead to these posts and votes, and writes the name wherever it differs. Each write checks in its transaction
// that the account still has the job's name, so an earlier job never overwrites the name of a later one.
//
// It walks twice because a request that read the account before the rename may write the old name behind the first walk. When the
// second walk begins (SETTLE_MS later), all such requests have ended, and later ones read the new name.

/** Parses a stored job: where its walk goes on, and when its second walk may begin. */
export const RenameItem = z.object({
  userId: z.string(),
  name: z.string(),
  after: z.string().optional(),
  settledAt: z.number().optional(),
});
type Rename = z.infer<typeof RenameItem>;

/** How long after the first walk a request may still write the old name, in milliseconds: a function runs at most ten seconds. */
export const SETTLE_MS = 15_000;

const PAGE = 50;
// The most posts and votes in one transaction: a larger one would meet more votes of others on the same posts.
const GROUP = 10;

const JobId = z.object({ sk: z.string() }).transform(({ sk }) => sk);

/** The ids of the unfinished jobs, oldest first. */
export const waitingIds = (): Promise<string[]> => getRange(range.renames(), JobId);

/** Continues a job; "later" if its second walk may not begin yet. */
export const carryOut = async (jobId: string, now = Date.now()): Promise<"done" | "later"> => {
  const item = await get(key.rename(jobId), z.looseObject({}));
  if (!item) return "done";
  const job = RenameItem.parse(item);
  if (job.settledAt !== undefined && now < job.settledAt) return "later";
  if ((await walk(jobId, job)) === "through" && job.settledAt === undefined) {
    await saveProgress(jobId, "SET settledAt = :value REMOVE #after", Date.now() + SETTLE_MS);
    return "later";
  }
  await removeAlone(key.rename(jobId));
  return "done";
};

/** Stores how far a job has come, so that it goes on there after a crash. */
const saveProgress = async (jobId: string, expression: string, value: string | number): Promise<void> => {
  await transact({
    job: update(key.rename(jobId), expression, {
      if: "attribute_exists(pk)",
      names: { "#after": "after" },
      values: { ":value": value },
    }),
  });
};

/** Parses an item that leads to a post of the user, or to a vote. */
const TrailItem = z.object({ sk: z.string(), voteId: z.string().optional() });
type Trail = z.output<typeof TrailItem>[];

/** Walks along all posts and votes of the user; "overtaken" if the account has another name by now. */
const walk = async (jobId: string, job: Rename): Promise<"through" | "overtaken"> => {
  for await (const page of pagesOf(range.userTrail(job.userId, job.after), TrailItem, { pageSize: PAGE })) {
    if ((await rewrite(page, job)) === "overtaken") return "overtaken";
    const last = page.at(-1);
    if (last && page.length === PAGE) await saveProgress(jobId, "SET #after = :value", last.sk);
  }
  return "through";
};

const rewrite = async (trail: Trail, job: Rename): Promise<"through" | "overtaken"> => {
  const read = () => readOutdated(trail, job);
  return replanned(await read(), read, (outdated) => write(outdated, job));
};

/** The parts that write the name, for each post or vote that has another one. */
const readOutdated = async (trail: Trail, { userId, name }: Rename): Promise<Record<string, Part>[]> => {
  const userVotes = trail
    .filter(({ sk }) => sk.startsWith(prefix.vote))
    .map(({ sk, voteId = "" }) => ({ postId: idIn(sk), voteId }));
  const postIds = trail.filter(({ sk }) => sk.startsWith(prefix.post)).map(({ sk }) => idIn(sk));
  const [votes, postsAndVoters] = await Promise.all([
    getMany(
      userVotes.map(({ postId, voteId }) => key.vote(postId, voteId)),
      VoteItem,
    ),
    getMany([...postIds.map(key.post), ...userVotes.map(({ postId }) => key.voters(postId))], PostOrVotersItem),
  ]);
  const parts = postsAndVoters.map((item) => {
    if (isPost(item)) return item.author.userId === userId ? authorNameParts(item, name) : {};
    const voteId = userVotes.find(({ postId }) => postId === item.postId)?.voteId;
    const vote = votes.find((stored) => stored.voteId === voteId);
    return vote ? nameParts(vote, item, name) : {};
  });
  return parts.filter((ofOne) => Object.keys(ofOne).length > 0);
};

const write = async (
  outdated: Record<string, Part>[],
  { userId, name }: Rename,
): Promise<"through" | "overtaken" | "changed meanwhile"> => {
  const hasName = check(key.user(userId), {
    if: "#name = :name",
    names: { "#name": "name" },
    values: { ":name": name },
  });
  let isThrough = true;
  for (let start = 0; start < outdated.length; start += GROUP) {
    const outcome = await transact<string>({
      user: hasName,
      ...Object.assign({}, ...outdated.slice(start, start + GROUP)),
    });
    if (!outcome.done && outcome.failed.user) return "overtaken";
    isThrough &&= outcome.done;
  }
  return isThrough ? "through" : "changed meanwhile";
};
