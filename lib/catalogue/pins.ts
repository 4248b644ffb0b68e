import * as z from "zod/mini";
import { key } from "../table/keys.ts";
import { type Part, update } from "../table/parts.ts";
import { stampParts } from "./stamp.ts";

// The ids of the pinned posts lie in one item of the catalogue, which every list reads anyway: a list finds its pinned
// posts without looking for them. A post says the same of itself in `isPinned`.

/** The most posts that are pinned on a site. */
export const MOST_PINNED = 3;

/** Parses the ids of the pinned posts: a set of DynamoDB, which is gone with its last id. */
export const PinsItem = z.pipe(
  z.object({ sk: z.literal("PINS"), postIds: z.optional(z.set(z.string())) }),
  z.transform(({ postIds }) => ({ pinned: [...(postIds ?? [])].sort() })),
);

/** The parts that pin a post or unpin it. Where enough posts are pinned, the part `pins` fails. */
export function pinParts(postId: string, isPinned: boolean): Record<"pins" | "stamp", Part> {
  if (!isPinned) return unpinParts([postId]);
  const pins = update(key.pins(), "ADD postIds :posts", {
    if: "attribute_not_exists(postIds) OR size(postIds) < :most",
    values: { ":posts": new Set([postId]), ":most": MOST_PINNED },
  });
  return { pins, ...stampParts() };
}

/** The parts that take posts out of the pins, of which there is at least one. */
export function unpinParts(postIds: readonly string[]): Record<"pins" | "stamp", Part> {
  return {
    pins: update(key.pins(), "DELETE postIds :posts", { values: { ":posts": new Set(postIds) } }),
    ...stampParts(),
  };
}
