import * as z from "zod/mini";
import { key } from "../table/keys.ts";
import { type Part, put } from "../table/parts.ts";
import { get } from "../table/reads.ts";

// The slugs that imported posts had in another portal: links to them still lead to the post. A slug of ours needs no
// item, because it ends in the post's id.

export const OldSlugItem = z.object({ postId: z.string() });

/** The part that leads from a slug of another portal to a post. */
export function oldSlugPart(slug: string, postId: string): Part {
  return put(key.oldSlug(slug), { postId });
}

/** The post that had a slug in another portal. */
export async function postIdOfOldSlug(slug: string): Promise<string | undefined> {
  return (await get(key.oldSlug(slug), OldSlugItem))?.postId;
}
