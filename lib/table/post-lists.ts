import type { StatusLetter } from "../values/statuses.ts";

/** The fields of a post that decide its lists, and its status, which its rows and counts hold too. */
export type Placement<Id = string> = {
  boardId?: Id | undefined;
  roadmapId?: Id | undefined;
  status?: StatusLetter | undefined;
};

/** A list of posts: all of them (without an id), or the posts of one board or roadmap. */
export type PostList = { readonly kind: "all" | "board" | "roadmap"; readonly id?: string };

export const allPosts: PostList = { kind: "all" };

export function boardList(id: string): PostList {
  return { kind: "board", id };
}

export function roadmapList(id: string): PostList {
  return { kind: "roadmap", id };
}

/** The name of a list in keys: `ALL`, `BOARD#<boardId>`, `ROADMAP#<roadmapId>`. */
export function nameOf({ kind, id }: PostList): string {
  return id === undefined ? "ALL" : `${kind.toUpperCase()}#${id}`;
}

export function listNamed(name: string): PostList | undefined {
  const [word, id] = name.split("#", 2);
  if (id === undefined) return word === "ALL" ? allPosts : undefined;
  if (word === "BOARD") return boardList(id);
  return word === "ROADMAP" ? roadmapList(id) : undefined;
}

export function isAmong(list: PostList, lists: PostList[]): boolean {
  return lists.some(({ kind, id }) => kind === list.kind && id === list.id);
}

/** The lists that a post is in by one of its placements, each once, in the order in which it is written into them. */
export function listsOf(...placements: (Placement | undefined)[]): PostList[] {
  const lists = placements.flatMap((placement) => (placement ? listsIn(placement) : []));
  return [...new Map(lists.map((list) => [nameOf(list), list])).values()];
}

function listsIn({ boardId, roadmapId }: Placement): PostList[] {
  return [allPosts, ...(boardId ? [boardList(boardId)] : []), ...(roadmapId ? [roadmapList(roadmapId)] : [])];
}
