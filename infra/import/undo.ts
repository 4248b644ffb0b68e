import * as z from "zod/mini";
import { removalParts } from "../../lib/accounts/new-users.ts";
import * as users from "../../lib/accounts/users.ts";
import * as boards from "../../lib/catalogue/boards.ts";
import * as roadmaps from "../../lib/catalogue/roadmaps.ts";
import * as statuses from "../../lib/catalogue/statuses.ts";
import * as tags from "../../lib/catalogue/tags.ts";
import { sweep } from "../../lib/cleanup/sweeps.ts";
import { beginAnew } from "../../lib/figures/counting.ts";
import { readCounts, totalOf } from "../../lib/lists/days.ts";
import {
  allEntries,
  end,
  entries,
  entryKey,
  type Imported,
  idsIn,
  type Kind,
  kindOf,
  subjectOf,
} from "../../lib/moving/journal.ts";
import { inGroups, type Workshop } from "../../lib/moving/work.ts";
import { duplicatesOf, findEither } from "../../lib/posts/merged-posts.ts";
import { postIdOfOldSlug } from "../../lib/posts/old-slugs.ts";
import { listsWithoutOwner } from "../../lib/posts/placement.ts";
import * as posts from "../../lib/posts/posts.ts";
import { forEach } from "../../lib/runtime/for-each.ts";
import { stillHas } from "../../lib/table/changes.ts";
import { key, mark } from "../../lib/table/keys.ts";
import { type Part, remove } from "../../lib/table/parts.ts";
import { type PostList, placementOf, roadmapList, statusList, tagList } from "../../lib/table/post-lists.ts";
import { range } from "../../lib/table/ranges.ts";
import { getFirst, getRange } from "../../lib/table/reads.ts";
import { transact } from "../../lib/table/transactions.ts";
import { letterOf } from "../../lib/values/statuses.ts";
import * as votes from "../../lib/votes/votes.ts";
import { Progress } from "./progress.ts";

// An undo removes what an import made, as the journal says, unless people have touched it since: what people did on
// an imported post keeps the post, and its author, its voters and its board.

const AT_A_TIME = 8;

const Touched = z.object({ sk: z.string(), editedAt: z.optional(z.number()) });

/** Whether a post has something that the import did not make: another vote, a comment, a change, a follower. */
async function isTouched(post: posts.PostRecord, { updatedAt }: Imported, made: Set<string>): Promise<boolean> {
  const { postId } = post;
  if (post.updatedAt !== updatedAt || (await duplicatesOf(postId)).length > 0) return true;
  const [cast, ...others] = await Promise.all([
    getRange(range.votes(postId), Touched),
    getRange(range.activity("comment", postId), Touched),
    getRange(range.activity("note", postId), Touched),
  ]);
  const written = others.flat().filter(({ sk }) => !sk.startsWith(mark.row));
  const isForeign = ({ sk, editedAt }: z.output<typeof Touched>) => editedAt !== undefined || !made.has(sk);
  if ([...cast, ...written].some(isForeign)) return true;
  const followers = await getFirst(range.subscriptions(postId), z.object({ sk: z.string() }), 1);
  return followers.items.length > 0;
}

/** The parts that delete a post as it was looked at. They fail if it is touched meanwhile. */
function removal(post: posts.PostRecord, { count, comments, notes, move }: votes.Voters, gone: PostList[]) {
  const { postId, updatedAt } = post;
  return {
    ...posts.removalParts(post, gone),
    post: remove(key.post(postId), stillHas({ ...placementOf(post), author: post.author, updatedAt })),
    voters: remove(key.voters(postId), {
      if: ["#v = :v", ...["c", "n", "m"].map((name) => `(attribute_not_exists(#${name}) OR #${name} = :${name})`)].join(
        " AND ",
      ),
      names: { "#v": "count", "#c": "comments", "#n": "notes", "#m": "moves" },
      values: { ":v": count, ":c": comments, ":n": notes, ":m": move.moves ?? 0 },
    }),
  };
}

async function forget(importId: string, sk: string): Promise<void> {
  await transact({ entry: remove(key.imported(importId, sk)) });
}

// What a sweep removes of each vote or comment: itself, its row or seat, and the item of its user.
const ALONE_UNITS = 3;

/** What the journal has of a post beside its own entry. */
const BESIDE_POSTS = ["votes", "comments"] as const;

/** Removes an imported post with its votes and comments. */
async function removePost(importId: string, entry: Imported, pay: Workshop["pay"]): Promise<"removed" | "stays"> {
  const postId = subjectOf(entry);
  const of = [entry];
  for (const kind of BESIDE_POSTS) of.push(...(await allEntries(importId, entryKey(kind, postId))));
  const made = new Set(of.flatMap(({ ids }) => idsIn(ids)));
  const gone: PostList[] = [];
  for (;;) {
    const [{ post, merged }, voters] = await Promise.all([findEither(postId), votes.summary(postId)]);
    // A post without voters is just being merged.
    if (merged || (post && !voters)) return "stays";
    if (!post || !voters) break;
    if (await isTouched(post, entry, made)) return "stays";
    const outcome = await transact<string>(removal(post, voters, gone));
    if (outcome.done) break;
    gone.push(...listsWithoutOwner(outcome.failed, post));
  }
  // A post that was deleted before is swept too: nothing of it is left behind.
  await sweep(postId);
  await pay(made.size * ALONE_UNITS);
  await removeSlugs(entry);
  for (const { sk } of of) await forget(importId, sk);
  return "removed";
}

// A transaction has at most 100 parts.
const SLUGS = 100;

/** Removes the slugs of other portals that lead to a post which is gone. */
async function removeSlugs(entry: Imported): Promise<void> {
  const leading: string[] = [];
  for (const slug of entry.slugs ?? []) if ((await postIdOfOldSlug(slug)) === subjectOf(entry)) leading.push(slug);
  for (const some of inGroups(leading, SLUGS))
    await transact<string>(Object.fromEntries(some.map((slug) => [slug, remove(key.oldSlug(slug))])));
}

/** Removes an imported account that nobody has claimed, and that has nothing left. */
async function removeAccount(importId: string, entry: Imported): Promise<"removed" | "stays"> {
  const userId = subjectOf(entry);
  const account = await users.find(userId);
  if (account) {
    const trail = await getFirst(range.userTrail(userId), z.object({ sk: z.string() }), 2);
    const isUsed = trail.items.some(({ sk }) => sk !== key.user(userId).sk);
    const isOfTeam = account.role === "moderator" || account.role === "owner";
    if (isUsed || isOfTeam || account.isVerified || account.tokenVersion > 1) return "stays";
    const { name, email, tokenVersion } = account;
    const unclaimed = stillHas({ name, email, tokenVersion, isVerified: undefined });
    const parts: Record<string, Part> = removalParts(account, unclaimed);
    if (!(await transact<string>(parts)).done) return "stays";
  }
  await forget(importId, entry.sk);
  return "removed";
}

async function hasPosts(list: PostList): Promise<boolean> {
  return totalOf([list], await readCounts([list])) > 0;
}

/** Removes an imported board, roadmap or status that no post has. */
async function removeEntry(importId: string, entry: Imported): Promise<"removed" | "stays"> {
  const id = subjectOf(entry);
  const kind = kindOf(entry);
  if (kind === "board") {
    const board = await boards.find(id);
    if (board && (board.postCount > 0 || (await boards.remove(board)) !== "removed")) return "stays";
  } else if (kind === "roadmap") {
    const found = await roadmaps.allWithOrder();
    const roadmap = found.roadmaps.find(({ roadmapId }) => roadmapId === id);
    const isInUse = await hasPosts(roadmapList(id));
    if (roadmap && (isInUse || (await roadmaps.remove(roadmap, found)) !== "removed")) return "stays";
  } else if (kind === "tag") {
    const tag = await tags.find(id);
    if (tag && ((await hasPosts(tagList(id))) || (await tags.remove(tag)) !== "removed")) return "stays";
  } else {
    const list = await statuses.read();
    const status = list.statuses.find(({ statusId }) => statusId === id);
    const isInUse = status && (await hasPosts(statusList(letterOf(status.letter))));
    if (status && (isInUse || (await statuses.remove(list, id)) === "changed meanwhile")) return "stays";
  }
  await forget(importId, entry.sk);
  return "removed";
}

const names: [kind: Kind, name: string][] = [
  ["post", "posts"],
  ["account", "accounts"],
  ["status", "statuses"],
  ["tag", "tags"],
  ["roadmap", "roadmaps"],
  ["board", "boards"],
];

/**
 * How many are removed at the same time. Roadmaps share the item of their order, statuses the item of their list, tags
 * their number.
 */
function atATime(kind: Kind): number {
  return kind === "post" || kind === "account" ? AT_A_TIME : 1;
}

function removerOf(kind: Kind): typeof removePost {
  if (kind === "post") return removePost;
  return kind === "account" ? removeAccount : removeEntry;
}

/** Removes what an import made and nobody touched since. Returns what was removed and what stays, in lines. */
export async function undo(importId: string, { work, pay }: Workshop): Promise<string[]> {
  const lines: string[] = [];
  let staying = 0;
  for (const [kind, name] of names) {
    const found: string[] = [];
    for await (const { sk } of entries(work, importId, entryKey(kind))) found.push(sk);
    const progress = new Progress(`Undo of ${name}`, found.length);
    let removed = 0;
    await forEach(found, atATime(kind), async (sk) => {
      // Read before, so that a removal that is repeated still has the entry that it has just forgotten.
      const [entry] = await work(() => allEntries(importId, sk));
      if (entry && (await work(() => removerOf(kind)(importId, entry, pay))) === "removed") removed++;
      progress.add(1);
    });
    progress.end();
    const stays = found.length - removed;
    staying += stays;
    if (found.length > 0)
      lines.push(`Removed ${removed} ${name}${stays > 0 ? `; ${stays} stay, because people have used them` : ""}`);
  }
  for (const kind of BESIDE_POSTS)
    for await (const { sk } of entries(work, importId, entryKey(kind))) await work(() => forgetIfAlone(importId, sk));
  if (staying === 0) await endAll(importId, work);
  await beginAnew();
  return [
    ...lines,
    staying === 0 ? "Nothing of the import is left" : "The same command again removes what became unused",
  ];
}

/** Forgets an import of which nothing is left, and which accounts it has found. */
async function endAll(importId: string, work: Workshop["work"]): Promise<void> {
  for await (const { sk } of entries(work, importId, entryKey("found"))) await work(() => forget(importId, sk));
  await end(importId);
}

/** Forgets what a run that was killed left in the journal of a post that is gone. */
async function forgetIfAlone(importId: string, sk: string): Promise<void> {
  const postId = sk.split("#")[1] ?? "";
  const ofPost = await allEntries(importId, entryKey("post", postId));
  if (ofPost.length === 0) await forget(importId, sk);
}
