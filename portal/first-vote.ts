import { answer, api, once } from "./api.ts";
import { sendVote, unlessCast } from "./posts.ts";

// Votes on behalf of others, and the one with which a post begins.

/** The account of a person; one without a password, and with the name, if there is none yet. */
export async function accountOf(email: string, name?: string) {
  return (await answer(api.POST("/users", { body: { email, ...(name && { name }) } }))).user;
}

/** Casts the vote of another account, on its behalf, once under the key. */
export function voteForOther(postId: string, userId: string, key?: string): Promise<unknown> {
  const path = { postId, userId };
  return once((header) => api.POST("/posts/{postId}/votes/{userId}", { params: { path, header } }), key);
}

/** Casts the vote with which a post begins: the caller's, or the one of the account for which it was written. */
export function castFirstVote(postId: string, authorId: string | undefined): Promise<unknown> {
  return (authorId ? voteForOther(postId, authorId) : sendVote(postId)).catch(unlessCast);
}
