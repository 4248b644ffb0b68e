import { key } from "../table/keys.ts";
import { check, type Part, put, remove, update } from "../table/parts.ts";
import { isSameList, listsOf, nameOf, type Placement, type PostList, propertiesOf } from "../table/post-lists.ts";
import { countPart, recountPart } from "./bucket-counts.ts";

// What a post's placement means for the table: a row and a day count in each of its lists.

/** The attributes of a post's row in a list. */
export function rowOf(list: PostList, placement: Placement): object {
  const { rowField } = propertiesOf(list);
  return {
    ...(rowField && placement[rowField] !== undefined && { [rowField]: placement[rowField] }),
    ...(placement.status !== undefined && { status: placement.status }),
  };
}

function rowPart(list: PostList, postId: string, placement: Placement): Part {
  return put(key.listRow(list, postId), { ...rowOf(list, placement) });
}

function ownerPartName(list: PostList): string {
  return `owner of ${nameOf(list)}`;
}

/**
 * The part that needs the board or roadmap of a list to exist at the commit; a board also counts its posts in it. So no row or
 * count is written into a list that the sweeper has passed.
 */
function ownerParts(list: PostList, change: 1 | -1 | 0): Record<string, Part> {
  const { owner } = propertiesOf(list);
  if (!owner) return {};
  const at = key.listOwner(list);
  const exists = "attribute_exists(pk)";
  const part =
    owner.countsPosts && change !== 0
      ? update(at, "ADD postCount :change", { if: exists, values: { ":change": change } })
      : check(at, { if: exists });
  return { [ownerPartName(list)]: part };
}

/** The lists whose board or roadmap a transaction did not find. */
export function listsWithoutOwner(failed: Record<string, unknown>, ...placements: Placement[]): PostList[] {
  return placements.flatMap(listsOf).filter((list) => ownerPartName(list) in failed);
}

/** Whether a list is among some others. */
export function isAmong(list: PostList, lists: PostList[]): boolean {
  return lists.some((other) => isSameList(list, other));
}

/**
 * The parts that move a post from one placement to another, its status included. Without `from` it is new, without `to` it is
 * deleted. `gone` are lists whose board or roadmap was deleted: their rows and counts belong to the sweeper, no part touches them.
 */
export function placementParts(
  postId: string,
  from: Placement | undefined,
  to: Placement | undefined,
  gone: PostList[] = [],
): Record<string, Part> {
  const isLive = (list: PostList): boolean => !isAmong(list, gone);
  const before = from ? listsOf(from).filter(isLive) : [];
  const after = to ? listsOf(to).filter(isLive) : [];
  const left = before.filter((list) => !isAmong(list, after));
  const entered = after.filter((list) => !isAmong(list, before));
  // Lists that the post stays in, with another row.
  const rewritten = after.filter((list) => isAmong(list, before) && !isSameRow(list, from, to));
  const parts: Record<string, Part> = {};
  for (const list of left) {
    parts[`row of ${nameOf(list)}`] = remove(key.listRow(list, postId));
    parts[`count of ${nameOf(list)}`] = countPart(list, postId, -1, from?.status);
    Object.assign(parts, ownerParts(list, -1));
  }
  for (const list of entered) {
    parts[`row of ${nameOf(list)}`] = rowPart(list, postId, to ?? {});
    parts[`count of ${nameOf(list)}`] = countPart(list, postId, 1, to?.status);
    Object.assign(parts, ownerParts(list, 1));
  }
  for (const list of rewritten) {
    parts[`row of ${nameOf(list)}`] = rowPart(list, postId, to ?? {});
    if (from?.status !== to?.status) {
      parts[`count of ${nameOf(list)}`] = recountPart(list, postId, from?.status, to?.status);
    }
    Object.assign(parts, ownerParts(list, 0));
  }
  return parts;
}

function isSameRow(list: PostList, a: Placement = {}, b: Placement = {}): boolean {
  return JSON.stringify(rowOf(list, a)) === JSON.stringify(rowOf(list, b));
}
