import * as z from "zod/mini";
import { NOBODY } from "../accounts/users.ts";
import * as boards from "../catalogue/boards.ts";
import { orders } from "../lists/orders.ts";
import * as posts from "../posts/posts.ts";
import { oldestWaiting } from "../posts/waiting-posts.ts";
import { setAlone, stillHas } from "../table/changes.ts";
import { idIn, key } from "../table/keys.ts";
import { allPosts } from "../table/post-lists.ts";
import { range } from "../table/ranges.ts";
import { getFirst } from "../table/reads.ts";
import { newId } from "../values/ids.ts";
import { type FigureLists, readLists } from "./figures.ts";

/** The most entries of a list. */
const MOST = 10;
const MOST_BOARDS = 20;
/** How many of the newest posts tell who asks most. */
const NEWEST = 1000;

/** Counts the short lists, unless they changed meanwhile: the job that erases an account empties one. */
export async function countLists(now: number): Promise<void> {
  const before = await readLists();
  const [ofBoards, top, unanswered, askers] = await Promise.all([mostPosts(), mostVotes(), oldest(), mostAsking()]);
  const lists: FigureLists = { stamp: newId(), at: now, boards: ofBoards, top, unanswered, askers };
  await setAlone(
    key.figureLists(),
    lists,
    before ? stillHas({ stamp: before.stamp }) : { if: "attribute_not_exists(pk)" },
  );
}

/** Forgets who asks most, until it is counted again: a count that is under way fails. */
export async function forgetAskers(): Promise<void> {
  await setAlone(key.figureLists(), { stamp: newId(), askers: [] }, {});
}

async function mostPosts(): Promise<FigureLists["boards"]> {
  return (await boards.all())
    .sort((a, b) => b.postCount - a.postCount)
    .slice(0, MOST_BOARDS)
    .map(({ boardId, name, url, postCount }) => ({ boardId, name, url, posts: postCount }));
}

async function mostVotes(): Promise<FigureLists["top"]> {
  const { rows, descending } = orders.top;
  const { items } = await getFirst(rows(allPosts, {}), z.object({ sk: z.string() }), MOST, { descending });
  const found = await posts.findAllWithVoters(items.map(({ sk }) => idIn(sk)));
  return found
    .map(({ post: { postId, title, slug }, voters: { count } }) => ({ postId, title, slug, votes: count }))
    .sort((a, b) => b.votes - a.votes);
}

async function oldest(): Promise<FigureLists["unanswered"]> {
  return (await oldestWaiting(MOST)).map(({ post: { postId, title, slug } }) => ({ postId, title, slug }));
}

async function mostAsking(): Promise<FigureLists["askers"]> {
  // With each post comes its voters item.
  const { items } = await getFirst(range.posts(), posts.postOrVotersItem, 2 * NEWEST, { descending: true });
  const askers = new Map<string, FigureLists["askers"][number]>();
  for (const { author } of items.filter(posts.isPost)) {
    const { userId, name } = author;
    if (userId === NOBODY.userId) continue;
    const known = askers.get(userId);
    askers.set(userId, { userId, name: known?.name ?? name, posts: (known?.posts ?? 0) + 1 });
  }
  return [...askers.values()].sort((a, b) => b.posts - a.posts).slice(0, MOST);
}
