import { answer, api, type Post } from "../../api.ts";

type Changes = { boardId?: string | null; roadmapId?: string | null; isLocked?: boolean; isPinned?: boolean };

/** Changes fields of a post as it is shown. */
export async function patchPost({ postId, updatedAt }: Pick<Post, "postId" | "updatedAt">, fields: Changes) {
  const params = { header: { "If-Match": `"${updatedAt}"` } };
  return (await answer(api.PATCH("/posts", { params, body: { id: postId, ...fields } }))).post;
}
