import { type Api, answer, api, Failure, once, type Post } from "./api.ts";
import { change, define } from "./data.ts";
import { loadMarkdown } from "./load-markdown.ts";
import { announce } from "./notices.ts";
import { nextOf } from "./paging.ts";
import { t } from "./text.ts";

/** A list of posts as pages keep it, with the cursor of its next page. */
export type PostList = { posts: Post[]; after?: string };

type Filter = { sort: "trending" | "top" | "newest"; boardId?: string[]; roadmapId?: string; status?: string };

/** Which posts to list: those that match words, or a page of all in an order. */
export type Wanted = Filter & { first: number; query?: string };

async function listOf(client: Api, { query, ...wanted }: Wanted, after?: string): Promise<PostList> {
  if (query) {
    const { sort, ...filter } = wanted;
    return answer(client.POST("/posts/search", { body: { ...filter, query } }));
  }
  const body = { ...wanted, ...(after && { after }) };
  const { posts, page_info } = await answer(client.POST("/posts/get", { body }));
  return { posts, ...nextOf(page_info) };
}

export const postLists = define("posts", listOf);

export const posts = define("post", async (client, slug: string) => {
  const [{ post }] = await Promise.all([answer(client.POST("/posts/slug", { body: { slug } })), loadMarkdown()]);
  return post as Post;
});

/** Changes a post wherever a page shows it; undefined takes it out. */
export function changePost(postId: string, how: (post: Post) => Post | undefined): void {
  const changed = (post: Post) => (post.postId === postId ? how(post) : post);
  change(posts, changed);
  change(postLists, (list) => ({ ...list, posts: list.posts.flatMap((post) => changed(post) ?? []) }));
}

/** The account of a person; one without a password if there is none yet. */
export async function accountOf(email: string) {
  return (await answer(api.POST("/users", { body: { email } }))).user;
}

const voting = new Set<string>();

/** Votes, or removes the vote. The page shows it immediately, and says so if the service refuses. */
export async function toggleVote(post: Post): Promise<void> {
  const { postId } = post;
  // A double click is one vote.
  if (voting.has(postId)) return;
  voting.add(postId);
  const before = post.voters;
  const votes = before.viewerVote === null;
  changePost(postId, (now) => ({ ...now, voters: voted(now.voters, votes) }));
  try {
    const body = { postId };
    const { voters } = votes
      ? await once((header) => api.POST("/votes", { body, params: { header } }))
      : await answer(api.DELETE("/votes", { body }));
    changePost(postId, (now) => ({ ...now, voters }));
  } catch (failure) {
    // Another tab was faster.
    if (failure instanceof Failure && failure.code === "VOTE_EXISTS") return;
    changePost(postId, (now) => ({ ...now, voters: before }));
    announce(t("takenBack", { reason: (failure as Error).message }), "problem");
  } finally {
    voting.delete(postId);
  }
}

function voted(voters: Post["voters"], votes: boolean): Post["voters"] {
  const viewerVote = votes ? { voteId: "", userId: "", postId: "", createdAt: new Date().toISOString() } : null;
  return { ...voters, viewerVote, votesCount: voters.votesCount + (votes ? 1 : -1) };
}
