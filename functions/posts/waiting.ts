import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { PostPageQuery, postPage, readsOfPostPage } from "../../lib/http/post-pages.ts";
import { PostPage } from "../../lib/http/resources/post-pages.ts";
import { waitingPosts } from "../../lib/posts/waiting-posts.ts";

/**
 * Lists the posts that wait for the team: open ones of others without an official response, the newest first. A page
 * can have fewer posts than `first`, because other open posts are left out: `has_next_page` is true if more follow.
 */
export const handler = defineEndpoint({
  name: "posts-waiting",
  route: "GET /posts/waiting",
  permission: "post:moderate",
  request: z.object({ query: PostPageQuery }),
  response: PostPage,
  table: { USER: ["get"], CATALOGUE: ["get", "query"], LIST: ["query"], POSTS: ["get"] },
  expectedReads: ({ query }) => readsOfPostPage(query),
  handle: ({ caller, query }) => postPage(caller, query, waitingPosts),
});
