import * as z from "zod/mini";
import { letterOf, type StatusLetter } from "../values/statuses.ts";
import { bytesOf, numberOf, numbersIn } from "../values/words.ts";

/** The facets of a post: each of them puts it into a list. */
export type Placement<Id = string> = {
  boardId?: Id | undefined;
  roadmapId?: Id | undefined;
  status?: StatusLetter | undefined;
  /** In the order of the ids; absent in place of none. */
  tagIds?: Id[] | undefined;
};

/** The facets as items store them. */
export const placementFields = {
  boardId: z.optional(z.string()),
  roadmapId: z.optional(z.string()),
  status: z.optional(z.string()),
  tagIds: z.optional(z.array(z.string())),
};

/** The facets alone, absent ones too, so that placements can be compared and used as conditions. */
export function placementOf({ boardId, roadmapId, status, tagIds }: Placement): Placement {
  return { boardId, roadmapId, status, tagIds };
}

/** A list of posts: all of them (without an id), or the posts that have a value of a facet. */
export type PostList = { readonly kind: "all" | "board" | "roadmap" | "status" | "tag"; readonly id?: string };

export const allPosts: PostList = { kind: "all" };

export function boardList(id: string): PostList {
  return { kind: "board", id };
}

export function roadmapList(id: string): PostList {
  return { kind: "roadmap", id };
}

export function statusList(letter: StatusLetter): PostList {
  return { kind: "status", id: letter };
}

export function tagList(id: string): PostList {
  return { kind: "tag", id };
}

/** The name of a list in keys: `ALL`, `BOARD#<boardId>`, `ROADMAP#<roadmapId>`, `STATUS#<letter>`, `TAG#<tagId>`. */
export function nameOf({ kind, id }: PostList): string {
  return id === undefined ? "ALL" : `${kind.toUpperCase()}#${id}`;
}

/** The list of a board, roadmap or tag by its name. */
export function listNamed(name: string): PostList | undefined {
  const [word, id] = name.split("#", 2);
  if (id === undefined) return undefined;
  if (word === "BOARD") return boardList(id);
  if (word === "TAG") return tagList(id);
  return word === "ROADMAP" ? roadmapList(id) : undefined;
}

/** Whether a list is one of some lists. */
export function isAmong(list: PostList, lists: PostList[]): boolean {
  return lists.some(({ kind, id }) => kind === list.kind && id === list.id);
}

/** Whether a board, roadmap or tag owns a list: then the list ends with its owner. */
export function hasOwner({ kind }: PostList): boolean {
  return kind === "board" || kind === "roadmap" || kind === "tag";
}

/** The lists whose items hold the counts of these lists, by name. */
export function holdersOf(lists: PostList[]): Map<string, PostList> {
  const holders = lists.map((list) => countedIn(list).holder);
  return new Map(holders.map((holder) => [nameOf(holder), holder]));
}

/**
 * Whether a list has orders by rank. Posts of a status or with a tag are found by rank among all posts, so that a vote
 * writes no more rows for them.
 */
export function isRanked({ kind }: PostList): boolean {
  return kind !== "status" && kind !== "tag";
}

/** The lists that a post is in by one of its placements, each once, in the order in which it is written into them. */
export function listsOf(...placements: (Placement | undefined)[]): PostList[] {
  const lists = placements.flatMap((placement) => (placement ? listsIn(placement) : []));
  return [...new Map(lists.map((list) => [nameOf(list), list])).values()];
}

function listsIn({ boardId, roadmapId, status, tagIds = [] }: Placement): PostList[] {
  return [
    allPosts,
    ...(boardId ? [boardList(boardId)] : []),
    ...(roadmapId ? [roadmapList(roadmapId)] : []),
    statusList(letterOf(status)),
    ...tagIds.map(tagList),
  ];
}

/** The facets of a post in its rows. Numbers of four bytes stand for ids, so that 500 rows can be looked at. */
export const facetCodes = {
  b: z.optional(z.number()),
  r: z.optional(z.number()),
  s: z.optional(z.string()),
  // The numbers of the tags.
  t: z.optional(z.instanceof(Uint8Array)),
};
export type FacetCodes = z.output<z.ZodMiniObject<typeof facetCodes>>;

/** The codes of a placement, as rows store them. */
export function codesOf({ boardId, roadmapId, status, tagIds }: Placement): FacetCodes {
  return {
    ...(boardId !== undefined && { b: numberOf(boardId) }),
    ...(roadmapId !== undefined && { r: numberOf(roadmapId) }),
    ...(status !== undefined && { s: status }),
    ...(tagIds !== undefined && { t: bytesOf(tagIds.map(numberOf)) }),
  };
}

/** The placement in a row, with numbers in place of ids. */
export function placementIn({ b, r, s, t }: FacetCodes): Placement<number> {
  return { boardId: b, roadmapId: r, status: s, tagIds: t && numbersIn(t) };
}

/**
 * Where the posts of a list are counted by the day of their creation: the list whose items hold the counts, and what
 * follows the day in the name of an attribute. Each post has a status, so the items of all posts count statuses too:
 * that spares a write for each new post and each change of a status.
 */
export function countedIn(list: PostList): { holder: PostList; suffix: string } {
  const { kind, id = "" } = list;
  return kind === "status" ? { holder: allPosts, suffix: id } : { holder: list, suffix: "" };
}
