import type { StatusLetter } from "../values/statuses.ts";

/** The fields of a post that decide its lists, and its status, which its rows and counts hold too. */
export type Placement = {
  boardId?: string | undefined;
  roadmapId?: string | undefined;
  status?: StatusLetter | undefined;
};

/**
 * The kinds of lists: the word in their names, and the field of a post that names its list. Every post is in the list
 * of all posts.
 */
const kinds = {
  all: { word: "ALL", field: undefined },
  board: { word: "BOARD", field: "boardId" },
  roadmap: { word: "ROADMAP", field: "roadmapId" },
} as const;

/** In the order in which a post is written into its lists. */
const kindNames = Object.keys(kinds) as (keyof typeof kinds)[];

/** A list of posts: all of them (without an id), or the posts of one board or roadmap. */
export type PostList = { readonly kind: keyof typeof kinds; readonly id?: string };

export const allPosts: PostList = { kind: "all" };

export function boardList(id: string): PostList {
  return { kind: "board", id };
}

export function roadmapList(id: string): PostList {
  return { kind: "roadmap", id };
}

/** The name of a list in keys: `ALL`, `BOARD#<boardId>`, `ROADMAP#<roadmapId>`. */
export function nameOf({ kind, id }: PostList): string {
  return id === undefined ? kinds[kind].word : `${kinds[kind].word}#${id}`;
}

/** The list with this name; undefined if no list can have it. */
export function listNamed(name: string): PostList | undefined {
  const [word, id] = name.split("#", 2);
  const kind = kindNames.find((candidate) => kinds[candidate].word === word);
  if (!kind || (kinds[kind].field === undefined) !== (id === undefined)) return undefined;
  return id === undefined ? { kind } : { kind, id };
}

/** Whether a list is one of several. */
export function isAmong(list: PostList, lists: PostList[]): boolean {
  return lists.some(({ kind, id }) => kind === list.kind && id === list.id);
}

/** The lists that a post is in by one of its placements, each once. */
export function listsOf(...placements: (Placement | undefined)[]): PostList[] {
  const lists = placements.flatMap((placement) => (placement ? listsIn(placement) : []));
  return [...new Map(lists.map((list) => [nameOf(list), list])).values()];
}

function listsIn(placement: Placement): PostList[] {
  return kindNames.flatMap((kind) => {
    const { field } = kinds[kind];
    if (!field) return [{ kind }];
    const id = placement[field];
    return id ? [{ kind, id }] : [];
  });
}
