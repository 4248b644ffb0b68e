import { isEqual } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { type Attributes, check, type Part, put, remove, update } from "../table/parts.ts";
import { isAmong, listsOf, nameOf, type Placement, type PostList, propertiesOf } from "../table/post-lists.ts";
import { dayOf } from "../values/ids.ts";
import { countParts } from "./counts.ts";

// A post has a row in each of its lists, and is counted there on the day of its creation.

/** The attributes of a post's row in a list. */
export function rowAttributes(list: PostList, placement: Placement): Attributes {
  const { rowField } = propertiesOf(list);
  const { status } = placement;
  return {
    ...(rowField && placement[rowField] !== undefined && { [rowField]: placement[rowField] }),
    ...(status !== undefined && { status }),
  };
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
  const [before, after] = [from ? listsOf(from) : [], to ? listsOf(to) : []];
  const all = [...before, ...after.filter((list) => !isAmong(list, before))];
  const parts = all
    .filter((list) => !isAmong(list, gone))
    .map((list) =>
      listParts(list, postId, isAmong(list, before) ? from : undefined, isAmong(list, after) ? to : undefined),
    );
  return Object.assign({}, ...parts);
}

/** The parts that write what a list says of a post: without `from` the post enters the list, without `to` it leaves. */
function listParts(
  list: PostList,
  postId: string,
  from: Placement | undefined,
  to: Placement | undefined,
): Record<string, Part> {
  if (from && to && isEqual(rowAttributes(list, from), rowAttributes(list, to))) return {};
  const row = key.listRow(list, postId);
  const [month, digits] = [dayOf(postId).slice(0, 7), dayOf(postId).slice(8)];
  const [before, after] = [from && { ...from, digits }, to && { ...to, digits }];
  const [count] = countParts(key.dayCounts(list, month), before, after);
  return {
    [`row of ${nameOf(list)}`]: to ? put(row, rowAttributes(list, to)) : remove(row),
    ...(count && { [`count of ${nameOf(list)}`]: count }),
    ...ownerParts(list, from ? (to ? 0 : -1) : 1),
  };
}
