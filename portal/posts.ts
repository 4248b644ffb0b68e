import { answer, api, Failure, once, type Post } from "./api.ts";
import { change } from "./data.ts";
import { announce } from "./notices.ts";
import { t } from "./text.ts";

/** A list of posts as pages keep it, with the cursor of its next page. */
export type PostList = { posts: Post[]; after?: string };

/** Changes a post wherever a page shows it; undefined takes it out. */
export function changePost(postId: string, how: (post: Post) => Post | undefined): void {
  const changed = (post: Post) => (post.postId === postId ? how(post) : post);
  change((data, key) => {
    if (key.startsWith("post ")) return changed(data as Post);
    if (!key.startsWith("posts ")) return data;
    const list = data as PostList;
    return { ...list, posts: list.posts.flatMap((post) => changed(post) ?? []) };
  });
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
