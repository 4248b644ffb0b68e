import * as z from "zod";
import { StoreUnavailable } from "./client.ts";
import { idIn, key, prefix, range } from "./keys.ts";
import { check, type Part, update } from "./parts.ts";
import { authorNameParts, isPost, PostOrVotersItem } from "./posts.ts";
import { get, getMany, getRange, pagesOf } from "./reads.ts";
import { backOff } from "./retries.ts";
import { removeAlone } from "./single-writes.ts";
import { transact } from "./transactions.ts";
import { nameParts, VoteItem } from "./votes.ts";

// A name is kept beside each post and vote. A rename puts a job into the table, in its own transaction; the job walks along all
// that leads to the user's posts and votes, twice, and writes the name where another stands. Each write checks, in one
// transaction, that the account still has the job's name: an earlier job can never overwrite the name of a later one, and gives up.
//
// Twice, because a request that read the account before the rename may write the old name after the first walk has passed. Such
// a request has ended when the second walk begins (SETTLE_MS), and whoever reads the account now finds the new name.

/** A rename that is not finished: where the walk goes on, and from when on the second one may begin. */
export const RenameItem = z.object({
  userId: z.string(),
  name: z.string(),
  after: z.string().optional(),
  settledAt: z.number().optional(),
});
type Rename = z.infer<typeof RenameItem>;

/** How long after the first walk every request has ended that may still write the old name: a function ends after ten seconds. */
export const SETTLE_MS = 15_000;

const PAGE = 50;
const MAX_PLANS = 10;
// So many posts or votes are written by one transaction: more would wait for whoever votes on any of them.
const GROUP = 10;

const JobId = z.object({ sk: z.string() }).transform(({ sk }) => sk);

/** The ids of the renames that are not finished, oldest first. */
export const waitingIds = (): Promise<string[]> => getRange(range.renames(), JobId);

/** Goes on with a rename for as long as there is something to do now; "later" asks to be called again. */
export const carryOut = async (jobId: string, now = Date.now()): Promise<"done" | "later"> => {
  const item = await get(key.rename(jobId), z.looseObject({}));
  if (!item) return "done";
  const job = RenameItem.parse(item);
  if (job.settledAt !== undefined && now < job.settledAt) return "later";
  if ((await walk(jobId, job)) === "through" && job.settledAt === undefined) {
    await note(jobId, "SET settledAt = :value REMOVE #after", Date.now() + SETTLE_MS);
    return "later";
  }
  await removeAlone(key.rename(jobId));
  return "done";
};

/** Keeps how far a job has come: after a crash it goes on from there. */
const note = async (jobId: string, expression: string, value: string | number): Promise<void> => {
  await transact({
    job: update(key.rename(jobId), expression, {
      if: "attribute_exists(pk)",
      names: { "#after": "after" },
      values: { ":value": value },
    }),
  });
};

const TrailItem = z.object({ sk: z.string(), voteId: z.string().optional() });
type Trail = z.output<typeof TrailItem>;

/** Walks along all that leads to the user's posts and votes; ends early where the account has another name by now. */
const walk = async (jobId: string, job: Rename): Promise<"through" | "overtaken"> => {
  for await (const page of pagesOf(range.userTrail(job.userId, job.after), TrailItem, { pageSize: PAGE })) {
    if ((await rewrite(page, job)) === "overtaken") return "overtaken";
    const last = page.at(-1);
    if (last && page.length === PAGE) await note(jobId, "SET #after = :value", last.sk);
  }
  return "through";
};

const rewrite = async (trail: Trail[], job: Rename): Promise<"through" | "overtaken"> => {
  for (let plan = 0; plan < MAX_PLANS; plan++) {
    if (plan > 0) await backOff(plan);
    const outcome = await write(await stale(trail, job), job);
    // Something went, or changed hands, between the reads and the write: look again.
    if (outcome !== "changed meanwhile") return outcome;
  }
  throw new StoreUnavailable("posts or votes changed at every attempt to write a name into them");
};

/** The parts that put the name where another stands, one record for each post or vote. */
const stale = async (trail: Trail[], { userId, name }: Rename): Promise<Record<string, Part>[]> => {
  const votes = trail
    .filter(({ sk }) => sk.startsWith(prefix.vote))
    .map(({ sk, voteId = "" }) => ({ postId: idIn(sk), voteId }));
  const postIds = trail.filter(({ sk }) => sk.startsWith(prefix.post)).map(({ sk }) => idIn(sk));
  const [cast, around] = await Promise.all([
    getMany(
      votes.map(({ postId, voteId }) => key.vote(postId, voteId)),
      VoteItem,
    ),
    getMany([...postIds.map(key.post), ...votes.map(({ postId }) => key.voters(postId))], PostOrVotersItem),
  ]);
  const parts = around.map((item) => {
    if (isPost(item)) return item.author.userId === userId ? authorNameParts(item, name) : {};
    const voteId = votes.find(({ postId }) => postId === item.postId)?.voteId;
    const vote = cast.find((each) => each.voteId === voteId);
    return vote ? nameParts(vote, item, name) : {};
  });
  return parts.filter((each) => Object.keys(each).length > 0);
};

const write = async (
  changes: Record<string, Part>[],
  { userId, name }: Rename,
): Promise<"through" | "overtaken" | "changed meanwhile"> => {
  const isCalledSo = check(key.user(userId), {
    if: "#name = :name",
    names: { "#name": "name" },
    values: { ":name": name },
  });
  let isThrough = true;
  for (let at = 0; at < changes.length; at += GROUP) {
    const outcome = await transact<string>({
      user: isCalledSo,
      ...Object.assign({}, ...changes.slice(at, at + GROUP)),
    });
    if (!outcome.done && outcome.failed.user) return "overtaken";
    isThrough &&= outcome.done;
  }
  return isThrough ? "through" : "changed meanwhile";
};
