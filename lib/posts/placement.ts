import { isEqual } from "../table/changes.ts";
import { type Key, key } from "../table/keys.ts";
import { adding, check, type Part, put, remove, update } from "../table/parts.ts";
import {
  codesOf,
  countedIn,
  type FacetCodes,
  hasOwner,
  holdersOf,
  isAmong,
  listsOf,
  nameOf,
  type Placement,
  type PostList,
} from "../table/post-lists.ts";
import { dayOf } from "../values/ids.ts";

// A post has a row in each of its lists, and is counted there on the day of its creation. Rows and counts change in the
// transaction of the post, so they agree with it after every commit.

/** A row of a post: its key, and the post's facets. */
export type Row = { key: Key; facets: FacetCodes };

/** The part that turns a row into another; without `before` it is new, without `after` it goes. */
export function rowParts(before: Row | undefined, after: Row | undefined): Part[] {
  const isMoved = before?.key.sk !== after?.key.sk;
  const isChanged = isMoved || !isEqual(before?.facets, after?.facets);
  return [
    ...(before && isMoved ? [remove(before.key)] : []),
    ...(after && isChanged ? [put(after.key, after.facets)] : []),
  ];
}

function rowIn(list: PostList, postId: string, placement: Placement | undefined): Row | undefined {
  if (!placement || !isAmong(list, listsOf(placement))) return undefined;
  // Nothing filters the list of all posts by date: a filter has a list of its own.
  const facets = list.kind === "all" ? {} : codesOf(placement);
  return { key: key.listRow(list, postId), facets };
}

function ownerPartName(list: PostList): string {
  return `owner of ${nameOf(list)}`;
}

/**
 * The part that needs the board, roadmap or tag of a list to exist at the commit; a board also counts its posts in it.
 * So no row or count is written into a list that the sweeper has passed.
 */
function ownerParts(list: PostList, change: 1 | -1 | 0): Record<string, Part> {
  if (!hasOwner(list)) return {};
  const at = key.listOwner(list);
  const exists = "attribute_exists(pk)";
  const part =
    list.kind === "board" && change !== 0
      ? update(at, "ADD postCount :change", { if: exists, values: { ":change": change } })
      : check(at, { if: exists });
  return { [ownerPartName(list)]: part };
}

/** The lists whose board, roadmap or tag is gone, by the parts that failed. */
export function listsWithoutOwner(failed: Record<string, unknown>, ...placements: Placement[]): PostList[] {
  return listsOf(...placements).filter((list) => ownerPartName(list) in failed);
}

/** A post enters a list (1) or leaves it (-1). */
type Passage = { list: PostList; change: 1 | -1 };

function passage(before: Row | undefined, after: Row | undefined): Passage["change"] | 0 {
  if (!before) return 1;
  return after ? 0 : -1;
}

/** The parts that count a post where it enters or leaves lists: one for each item of counts. */
function countParts(postId: string, passages: Passage[]): Record<string, Part> {
  const date = dayOf(postId);
  const month = date.slice(0, 7);
  const day = date.slice(8);
  const parts: Record<string, Part> = {};
  for (const [name, holder] of holdersOf(passages.map(({ list }) => list))) {
    const counted = passages.filter(({ list }) => nameOf(countedIn(list).holder) === name);
    const changes = counted.map(({ list, change }) => [`${day}${countedIn(list).suffix}`, change] as const);
    const { expression, ...addition } = adding(changes);
    parts[`count in ${name}`] = update(key.dayCounts(holder, month), expression, addition);
  }
  return parts;
}

/**
 * The parts that move a post from one placement to another; none if it stays. Without `from` it is new, without `to` it
 * is deleted. `gone` are lists whose board, roadmap or tag was deleted: their rows and counts belong to the sweeper, no
 * part touches them.
 */
export function placementParts(
  postId: string,
  from: Placement | undefined,
  to: Placement | undefined,
  gone: PostList[] = [],
): Record<string, Part> {
  const parts: Record<string, Part> = {};
  const passages: Passage[] = [];
  for (const list of listsOf(from, to).filter((each) => !isAmong(each, gone))) {
    const before = rowIn(list, postId, from);
    const after = rowIn(list, postId, to);
    // One part at most: the key of a row by date stays, because it is the id of the post.
    const [rowPart] = rowParts(before, after);
    if (!rowPart) continue;
    parts[`row in ${nameOf(list)}`] = rowPart;
    const change = passage(before, after);
    if (change !== 0) passages.push({ list, change });
    Object.assign(parts, ownerParts(list, change));
  }
  return { ...parts, ...countParts(postId, passages) };
}
