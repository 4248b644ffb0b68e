import { entryKey, entryPart } from "../../lib/moving/journal.ts";
import { inGroups } from "../../lib/moving/work.ts";
import { key } from "../../lib/table/keys.ts";
import { create, type Part, put, update } from "../../lib/table/parts.ts";
import { transact } from "../../lib/table/transactions.ts";
import { FIRST_SLUGS, slugParts } from "./former-slugs.ts";
import type { OwnMerged } from "./own-rows.ts";
import { CHANGES, changeOf, FOLLOWS, type Restoring, recordOf, restoreSlugs, withAccount } from "./restore-records.ts";

// Posts that were merged, which can be taken out again.

/** How many merges lie behind a post that was merged. */
function heightOf(postId: string, all: OwnMerged[]): number {
  return all.reduce((most, { post }) => (post.into === postId ? Math.max(most, 1 + heightOf(post.ref, all)) : most), 0);
}

type MergedWithHeight = OwnMerged & { height: number };

/** Posts that were merged, each behind the one that it was merged into: a kill leaves none that leads to nothing. */
function byHeight(all: OwnMerged[]): MergedWithHeight[] {
  const placed = all.map((own) => ({ ...own, height: heightOf(own.post.ref, all) }));
  return placed.sort((a, b) => b.height - a.height);
}

export async function restoreAllMerged(all: OwnMerged[], restoring: Restoring): Promise<void> {
  for (const merged of byHeight(all)) await restoreMerged(merged, restoring);
}

/** Writes a post that was merged, and what leads back to all that came from it. */
async function restoreMerged(own: MergedWithHeight, restoring: Restoring): Promise<void> {
  const { post } = own;
  const { work, letters } = restoring;
  await work(() => addMerged(own, restoring));
  await restoreSlugs(post, key.merged(post.ref), restoring);
  const moved = own.moved.map(({ ref, what, was, by, inherits }): Part => {
    if (what === "comment") return put(key.movedComment(post.ref, ref), {});
    return put(key.movedVote(post.ref, ref), { was, by, inherits });
  });
  const changes = own.changes.map((change) => put(key.statusChange(post.ref, change.ref), changeOf(change, letters)));
  for (const parts of inGroups([...moved, ...changes], CHANGES)) await work(() => transact<string>(numbered(parts)));
  for (const some of inGroups(own.follows, FOLLOWS)) {
    await work(async () => {
      const choices = await withAccount(some, restoring);
      const parts = choices.flatMap(({ account, on, from }) => [
        put(key.subscription(post.ref, account), { on, from }),
        put(key.userFollow(account, post.ref), {}),
      ]);
      if (parts.length > 0) await transact<string>(numbered(parts));
    });
  }
}

function numbered(parts: Part[]): Record<string, Part> {
  return Object.fromEntries(parts.map((part, at) => [`part ${at}`, part]));
}

async function addMerged({ post, changes, height }: MergedWithHeight, restoring: Restoring): Promise<void> {
  const { postId, ...fields } = await recordOf(post, restoring);
  const { into, mergedAt, mergedBy, otherSlugs = [] } = post;
  const slugs = otherSlugs.slice(0, FIRST_SLUGS);
  // Nothing if a run that was killed has written it.
  await transact<string>({
    merged: create(key.merged(postId), {
      ...fields,
      into,
      mergedAt: Date.parse(mergedAt),
      mergedBy,
      statuses: changes.length,
      moves: 0,
      moved: true,
    }),
    duplicate: put(key.duplicate(into, postId), { height }),
    userPost: put(key.userPost(fields.author.userId, postId), {}),
    // Votes came to the post in which it continues: once to move, once to rest.
    voters: update(key.voters(post.post), "SET moves = if_not_exists(moves, :both)", {
      if: "attribute_exists(pk)",
      values: { ":both": 2 },
    }),
    ...slugParts(slugs, postId),
    ...(slugs.length > 0 && entryPart(restoring.importId, entryKey("post", postId), { slugs })),
  });
}
