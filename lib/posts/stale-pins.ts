import * as z from "zod/mini";
import { MOST_PINNED, PinsItem, unpinParts } from "../catalogue/pins.ts";
import { key } from "../table/keys.ts";
import { check, type Part } from "../table/parts.ts";
import { get, getMany } from "../table/reads.ts";
import { transact } from "../table/transactions.ts";

const PinnedItem = z.object({ sk: z.string(), isPinned: z.optional(z.literal(true)) });

/**
 * Takes those ids out of the pins whose posts are gone or not pinned: code of before there were pins may have deleted
 * or merged a post during a deploy. Returns whether there is room now, which another call may have made.
 */
export async function makeRoomForPin(): Promise<boolean> {
  const { pinned } = (await get(key.pins(), PinsItem)) ?? { pinned: [] };
  const found = await getMany(pinned.map(key.post), PinnedItem);
  const rightful = new Set(found.filter(({ isPinned }) => isPinned).map(({ sk }) => sk));
  const stale = pinned.filter((postId) => !rightful.has(postId));
  if (stale.length === 0) return pinned.length < MOST_PINNED;
  const stillUnpinned = stale.map((postId): [string, Part] => [
    `post ${postId}`,
    check(key.post(postId), { if: "attribute_not_exists(isPinned)" }),
  ]);
  await transact<string>({ ...unpinParts(stale), ...Object.fromEntries(stillUnpinned) });
  return true;
}
