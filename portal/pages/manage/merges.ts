import { answer, api, Failure, type Schemas } from "../../api.ts";
import { define } from "../../data.ts";
import { nextOf } from "../../paging.ts";
import { teamText } from "./team-text.ts";
import type { TeamTexts } from "./texts/en.ts";

// Posts that were merged into others, as the team sees and changes them.

export type Merged = Schemas["Merged"];

const PAGE = 20;

/** The posts that were merged into a post, and whether votes are on their way to it or from it. */
export const mergedPosts = define("merged posts", async (client, postId: string, after?: string) => {
  const params = { path: { postId }, query: { first: PAGE, ...(after && { after }) } };
  const { merged, votes, page_info } = await answer(client.GET("/posts/{postId}/merge", { params }));
  return { merged, isMoving: votes === "moving", ...nextOf(page_info) };
});

/** The texts of a conflict by the beginning of the service's sentence, which alone says of which kind it is. */
const CONFLICTS: [RegExp, keyof TeamTexts][] = [
  [/^A post cannot be merged into itself/, "conflict_samePost"],
  [/^The post was merged/, "conflict_mergedAlready"],
  [/^That post was merged itself/, "conflict_mergedItself"],
  [/^Votes of one of the posts/, "conflict_moving"],
  [/^At most \d+ merges/, "conflict_tooMany"],
];

/** Why posts cannot be merged or parted now, in the language of the page. */
export function conflictText(words: string): string {
  const [, key = "MERGE_CONFLICT"] = CONFLICTS.find(([sentence]) => sentence.test(words)) ?? [];
  return teamText(key);
}

/** The content of an answer. A conflict is a Failure that says its kind. */
async function merging<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<NonNullable<T>> {
  return answer(call).catch(async (failure: unknown) => {
    if (!(failure instanceof Failure) || failure.code !== "MERGE_CONFLICT") throw failure;
    const { message } = (await call).error as { message: string };
    throw new Failure(failure.status, failure.code, conflictText(message));
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
