import { key } from "../table/keys.ts";
import { check, type Part, update } from "../table/parts.ts";
import { isAmong, listsOf, nameOf, type Placement, type PostList } from "../table/post-lists.ts";
import { dayOf } from "../values/ids.ts";
import { type Entry, entryParts, rowAttributes } from "./entries.ts";

// A post has a row in each of its lists, and is counted there on the day of its creation.

function entryIn(list: PostList, postId: string, placement: Placement | undefined): Entry | undefined {
  if (!placement || !isAmong(list, listsOf(placement))) return undefined;
  const day = dayOf(postId);
  return {
    row: key.listRow(list, postId),
    attributes: rowAttributes(list, placement),
    month: key.dayCounts(list, day.slice(0, 7)),
    digits: day.slice(8),
  };
}

function ownerPartName(list: PostList): string {
  return `owner of ${nameOf(list)}`;
}

/**
 * The part that needs the board or roadmap of a list to exist at the commit; a board also counts its posts in it. So no
 * row or count is written into a list that the sweeper has passed.
 */
function ownerParts(list: PostList, change: 1 | -1 | 0): Record<string, Part> {
  if (list.kind === "all") return {};
  const at = key.listOwner(list);
  const exists = "attribute_exists(pk)";
  const part =
    list.kind === "board" && change !== 0
      ? update(at, "ADD postCount :change", { if: exists, values: { ":change": change } })
      : check(at, { if: exists });
  return { [ownerPartName(list)]: part };
}

/** The lists whose board or roadmap a transaction did not find. */
export function listsWithoutOwner(failed: Record<string, unknown>, ...placements: Placement[]): PostList[] {
  return listsOf(...placements).filter((list) => ownerPartName(list) in failed);
}

/**
 * The parts that move a post from one placement to another, its status included. Without `from` it is new, without `to`
 * it is deleted. `gone` are lists whose board or roadmap was deleted: their rows and counts belong to the sweeper, no
 * part touches them.
 */
export function placementParts(
  postId: string,
  from: Placement | undefined,
  to: Placement | undefined,
  gone: PostList[] = [],
): Record<string, Part> {
  const parts: Record<string, Part> = {};
  for (const list of listsOf(from, to).filter((list) => !isAmong(list, gone))) {
    const [before, after] = [entryIn(list, postId, from), entryIn(list, postId, to)];
    const written = entryParts(before, after);
    if (written.length === 0) continue;
    for (const [at, part] of written.entries()) parts[`${nameOf(list)} ${at}`] = part;
    Object.assign(parts, ownerParts(list, before ? (after ? 0 : -1) : 1));
  }
  return parts;
}
