import { entryKey } from "../../lib/moving/journal.ts";
import { inGroups } from "../../lib/moving/work.ts";
import { findEither } from "../../lib/posts/merged-posts.ts";
import { oldSlugPart, postIdOfOldSlug } from "../../lib/posts/old-slugs.ts";
import { type Key, key } from "../../lib/table/keys.ts";
import { check, type Part, update } from "../../lib/table/parts.ts";
import { transact } from "../../lib/table/transactions.ts";

// The slugs that a post had in other portals. Its own transaction has room for some of them. Further ones, of posts
// that were merged into it, follow in transactions that also note them in the journal: an undo and an export find them
// there.

/** How many slugs the transaction of a post has room for. */
export const FIRST_SLUGS = 43;

// A transaction has at most 100 parts.
const FURTHER_SLUGS = 90;

export function slugParts(slugs: string[], postId: string): Record<string, Part> {
  return Object.fromEntries(slugs.map((slug) => [`old slug ${slug}`, oldSlugPart(slug, postId)]));
}

/** By which bytes staging knows that a slug leads to a post, and not only somewhere. */
export function slugMark(slug: string, postId: string): Uint8Array {
  return Buffer.from(`${postId} ${slug}`);
}

/** Whether a slug leads to another post that is there. */
export async function leadsElsewhere(slug: string, postId: string): Promise<boolean> {
  const led = await postIdOfOldSlug(slug);
  if (led === undefined || led === postId) return false;
  const { post, merged } = await findEither(led);
  return post !== undefined || merged !== undefined;
}

/** Lets further slugs lead to a post, which lies at `home` and has an entry in the journal, unless it was deleted. */
export async function writeFurtherSlugs(
  importId: string,
  { postId, home }: { postId: string; home: Key },
  slugs: string[],
): Promise<void> {
  const missing: string[] = [];
  for (const slug of slugs) if ((await postIdOfOldSlug(slug)) !== postId) missing.push(slug);
  for (const some of inGroups(missing, FURTHER_SLUGS)) {
    const outcome = await transact<string>({
      post: check(home, { if: "attribute_exists(pk)" }),
      journal: update(
        key.imported(importId, entryKey("post", postId)),
        "SET slugs = list_append(if_not_exists(slugs, :none), :more)",
        { if: "attribute_exists(pk)", values: { ":none": [], ":more": some } },
      ),
      ...slugParts(some, postId),
    });
    if (!outcome.done) return;
  }
}
