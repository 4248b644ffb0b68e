import { type Api, answer, api, Failure, type ListedPost, once, type Post, type Schemas } from "./api.ts";
import { change, define, find, type Kind, reloadShown } from "./data.ts";
import { excerptNow, loadMarkdown } from "./load-markdown.ts";
import { announce } from "./notices.ts";
import { nextOf } from "./paging.ts";
import { token } from "./session.ts";
import { t } from "./text.ts";

/** What lists show of a post: the beginning of its text, how many votes it has, and whether the team has replied. */
export type Summary = Omit<ListedPost, "contentMarkdown" | "voters" | "response"> & {
  excerpt: string;
  isAnswered: boolean;
  voters: Pick<Post["voters"], "votesCount" | "viewerVote">;
};

export function summaryOf({ contentMarkdown, voters, response, ...post }: ListedPost): Summary {
  const { votesCount, viewerVote } = voters;
  const excerpt = excerptNow(contentMarkdown ?? "");
  return { ...post, excerpt, isAnswered: response !== null, voters: { votesCount, viewerVote } };
}

/**
 * A list of posts as pages keep it, with the cursor of its next page, and the number of all where that is known; with
 * `hasMore` there may be more than that.
 */
export type PostList = { posts: Summary[]; after?: string; total?: number; hasMore?: boolean };

const lists: Kind<PostList, never>[] = [];

/** Defines a kind of list with rows of posts: these show each change of a post, such as a vote. */
export function defineList<List extends PostList, Args extends unknown[]>(
  kind: string,
  load: (api: Api, ...args: Args) => Promise<List>,
): Kind<List, Args> {
  const list = define(kind, load);
  lists.push(list);
  return list;
}

type Filter = {
  sort: "trending" | "top" | "newest";
  boardId?: string[];
  roadmapId?: string;
  status?: string;
  tag?: string;
};

/** Which posts to list: those that match words, or a page of all in an order. */
export type Wanted = Filter & { first: number; query?: string };

/** The best matches. Their cursor is the number of a page. */
async function search(client: Api, { query = "", sort, ...filter }: Wanted, after = "1") {
  const page = Number(after);
  const body = { ...filter, query, page };
  const { results, total_count, total_pages } = await answer(client.POST("/posts/search", { body }));
  return { posts: results, total: total_count, ...(page < total_pages && { after: String(page + 1) }) };
}

async function list(client: Api, wanted: Wanted, after?: string) {
  // The columns of a roadmap have their own order.
  const pins = wanted.roadmapId === undefined;
  const body = { ...wanted, ...(after && { after }), ...(pins && !after && { pinned: true }) };
  const found = await answer(client.POST("/posts/get", { body }));
  const { posts, pinned = [], page_info, total_count, total_is_minimum } = found;
  const total = total_count !== undefined && { total: total_count, hasMore: total_is_minimum ?? false };
  // Pinned posts stand on the first page, above the others, and nowhere else.
  const shown = pins ? [...pinned, ...posts.filter(({ isPinned }) => !isPinned)] : posts;
  return { posts: shown, ...total, ...nextOf(page_info) };
}

export const postLists = defineList("posts", async (client, wanted: Wanted, after?: string): Promise<PostList> => {
  const reading = wanted.query ? search(client, wanted, after) : list(client, wanted, after);
  const [found] = await Promise.all([reading, loadMarkdown()]);
  return { ...found, posts: found.posts.map(summaryOf) };
});

/** Posts that are offered to a search which finds few. A page does without them. */
export const nearPosts = defineList("near", (client, query: string): Promise<PostList> => {
  const wanted: Wanted = { query, sort: "trending", first: 20 };
  return postLists(wanted)
    .load(client)
    .catch(() => ({ posts: [] }));
});

const SHORTEST_TITLE = 3;

/** A post to vote for in place of a new one. */
export type Suggestion = Omit<Schemas["SuggestedPost"], "votesCount" | "viewerVote"> & { voters: Summary["voters"] };

/** Posts with titles like one that is typed. */
export const similarPosts = define("similar", async (client, title: string): Promise<Suggestion[]> => {
  if (title.length < SHORTEST_TITLE) return [];
  const { posts } = await answer(client.POST("/posts/similar", { body: { title } }));
  return posts.map(({ votesCount, viewerVote, ...post }) => ({ ...post, voters: { votesCount, viewerVote } }));
});

/** What makes a post one's own: to have written it, to have voted for it, or to follow it. */
export type Tie = "posts" | "votes" | "follows";

/** The posts of the account that is signed in. */
export const ownPosts = defineList("own", async (client, tie: Tie, after?: string): Promise<PostList> => {
  const params = { query: { first: 20, ...(after && { after }) } };
  const reading = answer(client.GET(`/users/profile/${tie}`, { params }));
  const [{ results, page_info }] = await Promise.all([reading, loadMarkdown()]);
  return { posts: results.map(summaryOf), ...nextOf(page_info) };
});

type NewPost = { title: string; contentMarkdown?: string; boardId?: string; authorId?: string };

/** Sends a new post, once under the key. */
export function sendPost(body: NewPost, key: string) {
  return once((header) => api.POST("/posts", { body, params: { header } }), key);
}

/** What a list has shown of a post. */
export function listedPost(slug: string): Summary | undefined {
  return find(postLists, (list) => list.posts.find((each) => each.slug === slug));
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A post by its slug, an earlier one, or its id. */
export const posts = define("post", async (client, slug: string) => {
  const call = UUID.test(slug)
    ? answer(client.GET("/posts/{postId}", { params: { path: { postId: slug } } }))
    : answer(client.POST("/posts/slug", { body: { slug } }));
  const [{ post }] = await Promise.all([call, loadMarkdown()]);
  return post as Post;
});

/** A post that was merged, by its slug or id, and the one in which it continues; null if it is none any more. */
export const mergedPost = define("merged post", async (client, named: string) => {
  // A page does without it.
  const post = await posts(named)
    .load(client)
    .catch(() => null);
  return post?.mergedFrom ? { title: post.mergedFrom.title, into: post.postId } : null;
});

type Changeable = Pick<Summary, "voters" | "commentsCount">;
type Changes = Partial<Omit<Post, "voters">> & { voters?: Summary["voters"] };

/** Changes a post wherever a page shows it; undefined takes it out. */
export function changePost(postId: string, how: (post: Changeable) => Changes | undefined): void {
  change(posts, (post) => {
    if (post.postId !== postId) return post;
    const changes = how(post);
    return changes && { ...post, ...changes, voters: { ...post.voters, ...changes.voters } };
  });
  const inList = (list: PostList) => ({
    ...list,
    posts: list.posts.flatMap((post) => (post.postId === postId ? (changedSummary(post, how(post)) ?? []) : post)),
  });
  for (const each of lists) change(each, inList);
  change(similarPosts, (all) => all.flatMap((post) => (post.postId === postId ? changedSuggestion(post, how) : post)));
}

function changedSuggestion(post: Suggestion, how: (post: Changeable) => Changes | undefined): Suggestion[] {
  const changes = how({ ...post, commentsCount: 0 });
  return changes ? [{ ...post, voters: { ...post.voters, ...changes.voters } }] : [];
}

function changedSummary(post: Summary, changes: Changes | undefined): Summary | undefined {
  if (!changes) return undefined;
  const { contentMarkdown, response, ...others } = changes;
  const excerpt = contentMarkdown && { excerpt: excerptNow(contentMarkdown) };
  return { ...post, ...others, ...excerpt, ...(response !== undefined && { isAnswered: response !== null }) };
}

/** Whether the caller follows a post, and what of it comes by mail; null for a visitor. */
export const following = define("following", async (client, postId: string) => {
  if (!token.peek()) return null;
  const params = { path: { postId } };
  return (await answer(client.GET("/posts/{postId}/subscription", { params }))).subscription;
});

export type Following = Schemas["SubscriptionWithMails"];

function showFollowing(postId: string, how: (now: Following) => Partial<Following>): void {
  change(following, (now, ofPost) => {
    if (ofPost !== postId) return now;
    // What a visitor saw says nothing of the account that has just signed in: it is being read.
    return now ? { ...now, ...how(now) } : undefined;
  });
}

/** Follows a post or leaves it: its news come by mail. */
export async function setFollowing(postId: string, isFollowing: boolean): Promise<void> {
  const params = { path: { postId } };
  await answer(api.PUT("/posts/{postId}/subscription", { params, body: { isFollowing } }));
  showFollowing(postId, () => ({ isFollowing, hasChosen: true }));
  // A list that is open keeps the post, so that a slip can be put right there. The next time it is read again.
  change(ownPosts, (list, tie) => (tie === "follows" ? { ...list } : list));
}

/** Follows a post, unless the caller has chosen before: who left it stays away. */
export async function followUnlessChosen(postId: string): Promise<void> {
  const now = await following(postId).load(api);
  if (now && !now.hasChosen) await setFollowing(postId, true);
}

/** Follows a post or leaves it, and says so. */
export async function follow(postId: string, isFollowing: boolean): Promise<void> {
  await setFollowing(postId, isFollowing);
  announce(t(isFollowing ? "follows" : "unfollowed"));
}

/** Casts the vote of the account that is signed in. */
export async function sendVote(postId: string): Promise<void> {
  const body = { postId };
  const { voters } = await once((header) => api.POST("/votes", { body, params: { header } }));
  changePost(postId, () => ({ voters }));
  // A vote follows the post, unless the person has left it.
  showFollowing(postId, ({ isFollowing, hasChosen }) => ({ isFollowing: isFollowing || !hasChosen }));
}

async function removeVote(postId: string): Promise<void> {
  const { voters } = await answer(api.DELETE("/votes", { body: { postId } }));
  changePost(postId, () => ({ voters }));
}

/** Another tab was faster, or an earlier try. */
function isCast(failure: unknown): boolean {
  return failure instanceof Failure && failure.code === "VOTE_EXISTS";
}

export function unlessCast(failure: unknown): void {
  if (!isCast(failure)) throw failure;
}

/** The buttons that vote for a post, and follow it, by the ids of their elements. */
export const voteId = (postId: string) => `vote-${postId}`;
export const FOLLOW_ID = "follow";

/** Casts the vote for which a visitor has signed in. */
export async function castVote(postId: string, title: string): Promise<void> {
  await sendVote(postId).catch(unlessCast);
  announce(t("voteCast", { title }));
}

const voting = new Set<string>();

/** Votes, or removes the vote. The page shows it immediately, and says so if the service refuses. */
export async function toggleVote({ postId, voters: before }: Pick<Summary, "postId" | "voters">): Promise<void> {
  // A double click is one vote.
  if (voting.has(postId)) return;
  voting.add(postId);
  const votes = before.viewerVote === null;
  changePost(postId, (now) => ({ voters: voted(now.voters, votes) }));
  try {
    await (votes ? sendVote(postId) : removeVote(postId));
  } catch (failure) {
    // Only the service knows whether the count that was shown had that vote.
    if (isCast(failure)) return reloadShown();
    changePost(postId, () => ({ voters: before }));
    announce(t("takenBack", { reason: (failure as Error).message }), "problem");
  } finally {
    voting.delete(postId);
  }
}

const NOT_COUNTED_YET = "";

/** Whether the vote of the person is counted. The page also shows one that is still being sent. */
export function isCounted({ viewerVote }: Summary["voters"]): boolean {
  return viewerVote !== null && viewerVote.voteId !== NOT_COUNTED_YET;
}

function voted({ votesCount }: Summary["voters"], votes: boolean): Summary["voters"] {
  const vote = { voteId: NOT_COUNTED_YET, userId: "", postId: "", createdAt: new Date().toISOString() };
  return { viewerVote: votes ? vote : null, votesCount: votesCount + (votes ? 1 : -1) };
}
