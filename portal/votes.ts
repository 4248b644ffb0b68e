import { answer } from "./api.ts";
import { define } from "./data.ts";
import { nextOf } from "./paging.ts";

/** All votes on a post, in the order in which they were cast. */
export const votes = define("votes", async (client, postId: string, first: number, after?: string) => {
  const params = { path: { postId }, query: { first, ...(after && { after }) } };
  const { results, page_info } = await answer(client.GET("/posts/{postId}/votes", { params }));
  return { votes: results, ...nextOf(page_info) };
});
