import { key } from "../table/keys.ts";
import { getMany } from "../table/reads.ts";
import { findAllMerged } from "./merged-posts.ts";
import { PostItem } from "./posts.ts";

/** Reads the titles of posts, also of those that were merged into others; a deleted one has none. */
export async function titlesOf(postIds: string[]): Promise<[postId: string, title: string][]> {
  const found = await getMany(postIds.map(key.post), PostItem);
  const live = new Set(found.map(({ postId }) => postId));
  const merged = await findAllMerged(postIds.filter((id) => !live.has(id)));
  return [...found, ...merged.map(({ post }) => post)].map(({ postId, title }) => [postId, title]);
}
