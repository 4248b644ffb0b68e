import * as z from "zod";
import { countPart } from "./day-counts.ts";
import { boardList, isBoardOrRoadmapList, key, type ListName, prefix, range, roadmapList } from "./keys.ts";
import {
  check,
  create,
  get,
  getRange,
  type Part,
  put,
  remove,
  removeAlone,
  StoreUnavailable,
  transact,
  update,
} from "./table.ts";
import type { Person } from "./users.ts";
import { noVoters, type Voters, VotersItem } from "./votes.ts";

/** A post as it is stored. */
export type PostRecord = {
  postId: string;
  title: string;
  slug: string;
  contentMarkdown?: string | undefined;
  author: Person;
  boardId?: string | undefined;
  roadmapId?: string | undefined;
  /** The slugs that the post had before, the latest first; they go on being found. */
  oldSlugs?: string[] | undefined;
  /** Milliseconds since 1970; every change makes it greater. */
  updatedAt: number;
};

/** A post with its voters. */
export type PostWithVoters = { post: PostRecord; voters: Voters };

/** A post as it lies in the table. */
export const PostItem = z
  .object({
    sk: z.string().regex(/^[^#]+$/),
    title: z.string(),
    slug: z.string(),
    contentMarkdown: z.string().optional(),
    author: z.object({ userId: z.string(), name: z.string(), username: z.string() }),
    boardId: z.string().optional(),
    roadmapId: z.string().optional(),
    oldSlugs: z.array(z.string()).optional(),
    updatedAt: z.number(),
  })
  .transform(({ sk, ...post }): PostRecord => ({ postId: sk, ...post }));

/** What the partition of posts holds: a post or the voters of one. */
export const PostOrVotersItem = z.union([PostItem, VotersItem]);
export type PostOrVoters = z.output<typeof PostOrVotersItem>;

/** Whether an item of the partition of posts is a post. */
export const isPost = (item: PostOrVoters): item is PostRecord => "title" in item;

/** Reads a post; undefined when there is none. */
export const find = (postId: string): Promise<PostRecord | undefined> => get(key.post(postId), PostItem);

/** Reads a post with its voters in one call; undefined when there is none. */
export const findWithVoters = async (postId: string): Promise<PostWithVoters | undefined> => {
  const items = await getRange(range.posts({ from: postId, to: postId }), PostOrVotersItem);
  const post = items.find(isPost);
  const voters = items.find((item): item is Voters => !isPost(item));
  return post && { post, voters: voters ?? noVoters(postId) };
};

/** Where a post stands: what its rows, counts and its board's count follow. */
type Placement = Pick<PostRecord, "boardId" | "roadmapId">;

const listsOf = ({ boardId, roadmapId }: Placement): ListName[] => [
  "ALL",
  ...(boardId ? [boardList(boardId)] : []),
  ...(roadmapId ? [roadmapList(roadmapId)] : []),
];

// A roadmap's rows name the board, for the filter by both; the others are keys only, so that many fit a read unit.
const rowOf = (list: ListName, { boardId }: Placement) =>
  list.startsWith(prefix.roadmap) && boardId !== undefined ? { boardId } : {};

const boardCountPart = (boardId: string, change: 1 | -1): Part =>
  update(key.board(boardId), "ADD postCount :change", { if: "attribute_exists(pk)", values: { ":change": change } });

const roadmapExists = (roadmapId: string): Part => check(key.roadmap(roadmapId), { if: "attribute_exists(pk)" });

/** Boards and roadmaps that are known to be gone: their rows and counts are the sweeper's, no part may touch them. */
type Gone = ReadonlySet<ListName>;

/**
 * The parts that take a post from one placement to another; without `from` it is new, without `to` it goes. Where a count of a
 * board or roadmap changes, that board or roadmap must exist at the commit: no count can come back to life after the sweep.
 */
const placementParts = (
  postId: string,
  from: Placement | undefined,
  to: Placement | undefined,
  gone: Gone = new Set(),
): Record<string, Part> => {
  const parts: Record<string, Part> = {};
  const before = (from ? listsOf(from) : []).filter((list) => !gone.has(list));
  const after = to ? listsOf(to) : [];
  const leave = (list: ListName): void => {
    parts[`row of ${list}`] = remove(key.listRow(list, postId));
    parts[`count of ${list}`] = countPart(list, postId, -1);
    Object.assign(parts, existing(list, -1));
  };
  const enter = (list: ListName): void => {
    parts[`row of ${list}`] = put(key.listRow(list, postId), rowOf(list, to ?? {}));
    parts[`count of ${list}`] = countPart(list, postId, 1);
    Object.assign(parts, existing(list, 1));
  };
  for (const list of before) if (!after.includes(list)) leave(list);
  for (const list of after) if (!before.includes(list) && !gone.has(list)) enter(list);
  const stays = before.find((list) => list.startsWith(prefix.roadmap) && after.includes(list));
  if (stays && from?.boardId !== to?.boardId) {
    parts[`row of ${stays}`] = put(key.listRow(stays, postId), rowOf(stays, to ?? {}));
    Object.assign(parts, existing(stays, 1));
  }
  return parts;
};

/** The part that needs the board or roadmap of a list to exist, named after the list; a board counts its posts in it. */
const existing = (list: ListName, change: 1 | -1): Record<string, Part> => {
  if (list === "ALL") return {};
  const id = list.slice(list.indexOf("#") + 1);
  return { [list]: list.startsWith(prefix.board) ? boardCountPart(id, change) : roadmapExists(id) };
};

/** The lists whose board or roadmap a transaction did not find. */
const notFound = (failed: Record<string, unknown>): ListName[] => Object.keys(failed).filter(isBoardOrRoadmapList);

/** The parts of the transaction that makes a post, with no votes, in its lists. */
export const newPostParts = (post: PostRecord): Record<string, Part> => {
  const { postId, ...item } = post;
  return {
    post: create(key.post(postId), item),
    voters: create(key.voters(postId), { count: 0, cast: 0, first: {} }),
    userPost: put(key.userPost(post.author.userId, postId), {}),
    ...placementParts(postId, undefined, post),
  };
};

/** Writes a new post, with no votes, into its lists; its board and roadmap must still exist at the commit. */
export const add = async (post: PostRecord): Promise<"added" | "no such board" | "no such roadmap"> => {
  const outcome = await transact(newPostParts(post));
  if (outcome.done) return "added";
  const [list] = notFound(outcome.failed);
  if (!list) throw new Error(`a new post met ${Object.keys(outcome.failed).join(", ")}`);
  return list.startsWith(prefix.board) ? "no such board" : "no such roadmap";
};

const MAX_PLANS = 10;

/** Deletes a post as it was read: gone for every reader at once; a tombstone leaves its votes to the sweeper. */
export const destroy = async (asRead: PostRecord): Promise<"deleted" | "no such post"> => {
  const { postId } = asRead;
  const gone = new Set<ListName>();
  let post: PostRecord | undefined = asRead;
  for (let plan = 0; post && plan < MAX_PLANS; plan++) {
    const outcome = await transact<string>({
      post: remove(key.post(postId), placedAs(post)),
      voters: remove(key.voters(postId), { if: "attribute_exists(pk)" }),
      userPost: remove(key.userPost(post.author.userId, postId)),
      tombstone: put(key.tombstone(postId), {}),
      ...placementParts(postId, post, undefined, gone),
    });
    if (outcome.done) return "deleted";
    for (const list of notFound(outcome.failed)) gone.add(list);
    if (outcome.failed.post) post = await find(postId);
    else if (outcome.failed.voters) return "no such post";
  }
  if (post) throw new StoreUnavailable("a post changed at every attempt to delete it");
  return "no such post";
};

/** Condition: the post exists and is on the board and the roadmap that were read. */
const placedAs = ({ boardId, roadmapId }: Placement) => {
  const values = {
    ...(boardId === undefined ? {} : { ":boardAsRead": boardId }),
    ...(roadmapId === undefined ? {} : { ":roadmapAsRead": roadmapId }),
  };
  const board = boardId === undefined ? "attribute_not_exists(boardId)" : "boardId = :boardAsRead";
  const roadmap = roadmapId === undefined ? "attribute_not_exists(roadmapId)" : "roadmapId = :roadmapAsRead";
  return {
    if: `attribute_exists(pk) AND ${board} AND ${roadmap}`,
    ...(Object.keys(values).length > 0 ? { values } : {}),
  };
};

/** The part that puts the author's name into a post; none where it stands there. */
export const authorNameParts = ({ postId, author }: PostRecord, name: string): Record<string, Part> =>
  author.name === name
    ? {}
    : {
        [`post ${postId}`]: update(key.post(postId), "SET #author.#name = :name", {
          if: "attribute_exists(pk)",
          names: { "#author": "author", "#name": "name" },
          values: { ":name": name },
        }),
      };

/** What a change of a post sets; a field that is undefined is taken away, one that is absent stays. */
export type PostChange = Partial<Pick<PostRecord, "title" | "slug" | "contentMarkdown" | "boardId" | "roadmapId">>;

/** How many earlier slugs of a post go on being found. */
const KEPT_SLUGS = 10;

const changed = (post: PostRecord, change: PostChange): PostRecord => {
  const after: PostRecord = { ...post, ...change };
  const earlier = post.oldSlugs ?? [];
  const oldSlugs =
    after.slug === post.slug
      ? earlier
      : [post.slug, ...earlier].filter((slug) => slug !== after.slug).slice(0, KEPT_SLUGS);
  // Later than before, whatever the clock says: it tells one state of the post from the next.
  return {
    ...after,
    ...(oldSlugs.length > 0 ? { oldSlugs } : {}),
    updatedAt: Math.max(Date.now(), post.updatedAt + 1),
  };
};

const CHANGEABLE = ["title", "slug", "oldSlugs", "contentMarkdown", "boardId", "roadmapId"] as const;

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const isUnchanged = (post: PostRecord, after: PostRecord): boolean =>
  CHANGEABLE.every((name) => isSame(post[name], after[name]));

/** Part: turns a post as it was read into what it is to be; only what differs is written. */
const changePart = (post: PostRecord, after: PostRecord): Part => {
  const differing = CHANGEABLE.filter((name) => !isSame(post[name], after[name]));
  const set = differing.filter((name) => after[name] !== undefined);
  const gone = differing.filter((name) => after[name] === undefined);
  const { if: placed, values } = placedAs(post);
  const removal = gone.length > 0 ? ` REMOVE ${gone.join(", ")}` : "";
  return update(
    key.post(post.postId),
    `SET ${[...set, "updatedAt"].map((name) => `${name} = :${name}`).join(", ")}${removal}`,
    {
      if: `${placed} AND updatedAt = :updatedAtAsRead`,
      values: {
        ...values,
        ":updatedAtAsRead": post.updatedAt,
        ":updatedAt": after.updatedAt,
        ...Object.fromEntries(set.map((name) => [`:${name}`, after[name]])),
      },
    },
  );
};

/** Changes a post as it was read, its rows and counts with it; `plan` tells the change for the post as it then is. */
export const change = async (
  asRead: PostRecord,
  plan: (post: PostRecord) => PostChange,
): Promise<PostRecord | "no such post" | "no such board" | "no such roadmap"> => {
  const gone = new Set<ListName>();
  let post: PostRecord | undefined = asRead;
  for (let attempt = 0; post && attempt < MAX_PLANS; attempt++) {
    const after = changed(post, plan(post));
    if (isUnchanged(post, after)) return post;
    const outcome = await transact<string>({
      post: changePart(post, after),
      ...placementParts(post.postId, post, after, gone),
    });
    if (outcome.done) return after;
    for (const list of notFound(outcome.failed)) {
      if (listsOf(after).includes(list) && !listsOf(post).includes(list)) {
        return list.startsWith(prefix.board) ? "no such board" : "no such roadmap";
      }
      gone.add(list);
    }
    if (outcome.failed.post) post = await find(post.postId);
  }
  if (post) throw new StoreUnavailable("a post changed at every attempt to change it");
  return "no such post";
};

const Tombstone = z.object({ sk: z.string() }).transform(({ sk }) => sk);

/** What was deleted and is still to be swept: post ids, and the lists of boards and roadmaps; oldest posts first. */
export const tombstones = (): Promise<string[]> => getRange(range.tombstones(), Tombstone);

/** Takes away the tombstone of what is swept. */
export const forget = (deleted: string): Promise<void> => removeAlone(key.tombstone(deleted));
