import type { StatusLetter } from "../values/statuses.ts";

/** The field of a post that says where it is placed. */
type PlacementField = "boardId" | "roadmapId";

/** What decides which lists a post is in, and its status, which its rows and counts hold too. */
export type Placement = { [Field in PlacementField]?: string | undefined } & { status?: StatusLetter | undefined };

type ListProperties = {
  /** The kind's word in keys: `ALL` for the one list of its kind, `BOARD#<id>` where there are many. */
  word: string;
  /** The field of a post that names its list of this kind; without it, every post is in the one list. */
  field?: PlacementField;
  /** The field of a post that its rows hold beside their keys; without it, more rows fit a read unit. */
  rowField?: PlacementField;
  /** The entry of the catalogue that must exist at every commit that changes the list. */
  owner?: {
    /** Whether the entry counts the posts of its list, in `postCount`. */
    countsPosts: boolean;
  };
};

/** The kinds of lists of posts, in the order in which a post is written into them. */
const kinds = {
  all: { word: "ALL" },
  board: { word: "BOARD", field: "boardId", owner: { countsPosts: true } },
  // The rows of a roadmap name the board, for lists that are filtered by both.
  roadmap: { word: "ROADMAP", field: "roadmapId", rowField: "boardId", owner: { countsPosts: false } },
} as const satisfies Record<string, ListProperties>;

type ListKind = keyof typeof kinds;

const kindNames = Object.keys(kinds) as ListKind[];

/** A list of posts: all of them (without an id), or those of one board or roadmap. */
export type PostList = { readonly kind: ListKind; readonly id?: string };

export const allPosts: PostList = { kind: "all" };

export function boardList(id: string): PostList {
  return { kind: "board", id };
}

export function roadmapList(id: string): PostList {
  return { kind: "roadmap", id };
}

export function propertiesOf({ kind }: PostList): ListProperties {
  return kinds[kind];
}

/** The name of a list in keys: `ALL`, `BOARD#<boardId>`, `ROADMAP#<roadmapId>`. */
export function nameOf({ kind, id }: PostList): string {
  return id === undefined ? kinds[kind].word : `${kinds[kind].word}#${id}`;
}

/** The list with this name; undefined if no list can have it. */
export function listNamed(name: string): PostList | undefined {
  const [word, id] = name.split("#", 2);
  const kind = kindNames.find((candidate) => kinds[candidate].word === word);
  if (!kind || "field" in kinds[kind] !== (id !== undefined)) return undefined;
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
    const { field }: ListProperties = kinds[kind];
    if (!field) return [{ kind }];
    const id = placement[field];
    return id ? [{ kind, id }] : [];
  });
}
