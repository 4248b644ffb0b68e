import * as z from "zod/mini";
import { visibleCatalogue } from "../../lib/auth/visibility.ts";
import * as catalogue from "../../lib/catalogue/catalogue.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import * as events from "../../lib/events/events.ts";
import { pageSize, QueryNumber } from "../../lib/http/list-inputs.ts";
import { PostStatusChange, postStatusChangeView } from "../../lib/http/resources/posts.ts";
import { findAllWithVoters } from "../../lib/posts/posts.ts";

/** The read units of the latest 500 events. */
const EVENTS_READ = 30;

/**
 * Lists the latest changes of a status, the newest first, for feeds: those among the latest 500 events of the last 30
 * days, without posts that are deleted. Each has the post as it is now.
 */
export const handler = defineEndpoint({
  name: "posts-status-changes",
  route: "GET /posts/status-changes",
  access: "optional",
  request: z.object({ query: z.object({ first: pageSize(QueryNumber, 20, 20) }) }),
  response: z.object({ changes: z.array(PostStatusChange) }),
  table: { EVENTS: ["query"], CATALOGUE: ["get", "query"], POSTS: ["get"] },
  expectedReads: ({ query: { first } }) => EVENTS_READ + 4 * first,
  prefetch: ({ query: { first } }) => Promise.all([events.latest("post.status_changed", first), catalogue.read()]),
  handle: async ({ caller, prefetched: [changes, entries] }) => {
    const ids = new Set(changes.flatMap(({ postId }) => postId ?? []));
    const found = await findAllWithVoters([...ids]);
    const visible = visibleCatalogue(caller, entries);
    const views = changes.flatMap((change) => {
      const post = found.find((each) => each.post.postId === change.postId);
      return post ? [postStatusChangeView(change, post, visible)] : [];
    });
    return { changes: views };
  },
});
