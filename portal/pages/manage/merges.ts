import { answer, api, Failure, type Result, type Schemas } from "../../api.ts";
import { define } from "../../data.ts";
import { nextOf } from "../../paging.ts";
import { teamText, teamTextOr } from "./team-text.ts";

// Posts that were merged into others, as the team sees and changes them.

export type Merged = Schemas["Merged"];

const PAGE = 20;

/** The posts that were merged into a post, and whether votes are on their way to it or from it. */
export const mergedPosts = define("merged posts", async (client, postId: string, after?: string) => {
  const params = { path: { postId }, query: { first: PAGE, ...(after && { after }) } };
  const { merged, votes, page_info } = await answer(client.GET("/posts/{postId}/merge", { params }));
  return { merged, isMoving: votes === "moving", ...nextOf(page_info) };
});

/** Why posts cannot be merged or parted now, in the language of the page. A later version may know further kinds. */
export function conflictText(kind = ""): string {
  return teamTextOr(`conflict_${kind}`, teamText("MERGE_CONFLICT"));
}

/** The content of an answer. The Failure of a conflict says in its message of which kind it is. */
async function merging<T>(call: Promise<Result<T>>): Promise<NonNullable<T>> {
  return answer(call).catch((failure: unknown) => {
    if (failure instanceof Failure && failure.code === "MERGE_CONFLICT") {
      failure.message = conflictText(failure.conflict);
    }
    throw failure;
  });
}

/** Merges a post into another one, which it returns. `notify`: those who followed the first one get a mail. */
export async function merge(postId: string, into: string, notify: boolean) {
  const params = { path: { postId } };
  return (await merging(api.POST("/posts/{postId}/merge", { params, body: { into, notify } }))).post;
}

/** Takes a post out of the one that it was merged into. Returns it as it is now. */
export async function unmerge(postId: string) {
  const params = { path: { postId } };
  return (await merging(api.DELETE("/posts/{postId}/merge", { params }))).post;
}
