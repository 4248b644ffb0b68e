import { answer } from "../../api.ts";
import { define } from "../../data.ts";
import { nextOf } from "../../paging.ts";

/** As many as one call decides. */
export const MOST = 20;

/** The held and reported posts and comments, the oldest first. */
export const queued = define("queue", async (client, after?: string) => {
  const params = { query: { first: MOST, ...(after && { after }) } };
  const { results, page_info } = await answer(client.GET("/moderation", { params }));
  return { held: results, ...nextOf(page_info) };
});
