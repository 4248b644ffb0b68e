import * as z from "zod";
import { dayOf } from "../ids.ts";
import { boardList, key, type ListName, range, roadmapList } from "./keys.ts";
import { check, create, get, getRange, type Part, put, remove, removeAlone, transact, update } from "./table.ts";
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
  /** Milliseconds since 1970. */
  updatedAt: number;
};

/** A post with its voters. */
export type PostWithVoters = { post: PostRecord; voters: Voters };

const PostItem = z
  .object({
    sk: z.string().regex(/^[^#]+$/),
    title: z.string(),
    slug: z.string(),
    contentMarkdown: z.string().optional(),
    author: z.object({ userId: z.string(), name: z.string(), username: z.string() }),
    boardId: z.string().optional(),
    roadmapId: z.string().optional(),
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
  const items = await getRange(range.posts(postId, postId), PostOrVotersItem);
  const post = items.find(isPost);
  const voters = items.find((item): item is Voters => !isPost(item));
  return post && { post, voters: voters ?? noVoters(postId) };
};

const listsOf = ({ boardId, roadmapId }: PostRecord): ListName[] => [
  "ALL",
  ...(boardId ? [boardList(boardId)] : []),
  ...(roadmapId ? [roadmapList(roadmapId)] : []),
];

// A roadmap's rows name the board, for the filter by both; the others are keys only, so that many fit a read unit.
const rowOf = (list: ListName, { boardId }: PostRecord) =>
  list.startsWith("ROADMAP#") && boardId !== undefined ? { boardId } : {};

/** Adds to the number of live posts that a list has on the day of a post. */
const countPart = (list: ListName, postId: string, change: 1 | -1): Part => {
  const day = dayOf(postId);
  return update(key.dayCounts(list, day.slice(0, 7)), "ADD #day :change", {
    names: { "#day": day.slice(8) },
    values: { ":change": change },
  });
};

const boardCountPart = (boardId: string, change: 1 | -1): Part =>
  update(key.board(boardId), "ADD postCount :change", { if: "attribute_exists(pk)", values: { ":change": change } });

const roadmapCheck = (roadmapId: string): Part => check(key.roadmap(roadmapId), { if: "attribute_exists(pk)" });

/** Writes a new post, with no votes, into its lists; its board and roadmap must still exist at the commit. */
export const add = async (post: PostRecord): Promise<"added" | "no such board" | "no such roadmap"> => {
  const { postId, ...item } = post;
  const plan: Record<string, Part | undefined> = {
    post: create(key.post(postId), item),
    voters: create(key.voters(postId), { count: 0, cast: 0, first: {} }),
    userPost: put(key.userPost(post.author.userId, postId), {}),
    board: post.boardId ? boardCountPart(post.boardId, 1) : undefined,
    roadmap: post.roadmapId ? roadmapCheck(post.roadmapId) : undefined,
  };
  for (const list of listsOf(post)) {
    plan[`row of ${list}`] = put(key.listRow(list, postId), rowOf(list, post));
    plan[`count of ${list}`] = countPart(list, postId, 1);
  }
  const outcome = await transact(plan);
  if (outcome.done) return "added";
  if (outcome.failed.board) return "no such board";
  if (outcome.failed.roadmap) return "no such roadmap";
  throw new Error(`a new post met ${Object.keys(outcome.failed).join(", ")}`);
};

const MAX_PLANS = 10;

/** Deletes a post as it was read: gone for every reader at once; a tombstone leaves its votes to the sweeper. */
export const destroy = async (asRead: PostRecord): Promise<"deleted" | "no such post"> => {
  let post: PostRecord | undefined = asRead;
  for (let plan = 0; post && plan < MAX_PLANS; plan++) {
    const outcome = await transact(destroyPlan(post));
    if (outcome.done) return "deleted";
    post = await find(post.postId);
  }
  if (post) throw new Error("a post changed at every attempt to delete it");
  return "no such post";
};

const destroyPlan = (post: PostRecord): Record<string, Part | undefined> => {
  const { postId, boardId, roadmapId } = post;
  const plan: Record<string, Part | undefined> = {
    post: remove(key.post(postId), placedAs(post)),
    voters: remove(key.voters(postId), { if: "attribute_exists(pk)" }),
    userPost: remove(key.userPost(post.author.userId, postId)),
    board: boardId ? boardCountPart(boardId, -1) : undefined,
    roadmap: roadmapId ? roadmapCheck(roadmapId) : undefined,
    tombstone: put(key.tombstone(postId), {}),
  };
  for (const list of listsOf(post)) {
    plan[`row of ${list}`] = remove(key.listRow(list, postId));
    plan[`count of ${list}`] = countPart(list, postId, -1);
  }
  return plan;
};

/** Condition: the post exists and is on the board and the roadmap that were read. */
const placedAs = ({ boardId, roadmapId }: PostRecord) => {
  const values = {
    ...(boardId === undefined ? {} : { ":board": boardId }),
    ...(roadmapId === undefined ? {} : { ":roadmap": roadmapId }),
  };
  const board = boardId === undefined ? "attribute_not_exists(boardId)" : "boardId = :board";
  const roadmap = roadmapId === undefined ? "attribute_not_exists(roadmapId)" : "roadmapId = :roadmap";
  return {
    if: `attribute_exists(pk) AND ${board} AND ${roadmap}`,
    ...(Object.keys(values).length > 0 ? { values } : {}),
  };
};

const Tombstone = z.object({ sk: z.string() }).transform(({ sk }) => sk);

/** The ids of deleted posts whose votes are still to be swept, oldest first. */
export const tombstones = (): Promise<string[]> => getRange(range.tombstones(), Tombstone);

/** Takes away the tombstone of a post whose votes are swept. */
export const forget = (postId: string): Promise<void> => removeAlone(key.tombstone(postId));
