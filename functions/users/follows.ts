import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { PostPageQuery, postPage, readsOfPostPage } from "../../lib/http/post-pages.ts";
import { PostPage } from "../../lib/http/resources/post-pages.ts";
import { followedPosts } from "../../lib/posts/own-posts.ts";

/**
 * Lists the posts that the caller follows, the newest posts first: what the caller wrote, voted for or chose to follow,
 * without what the caller stopped following.
 */
export const handler = defineEndpoint({
  name: "users-follows",
  route: "GET /users/profile/follows",
  request: z.object({ query: PostPageQuery }),
  response: PostPage,
  table: { USER: ["get", "query"], CATALOGUE: ["get", "query"], POSTS: ["get"], SUBSCRIPTIONS: ["get"] },
  expectedReads: ({ query }) => readsOfPostPage(query),
  handle: ({ caller, query }) => postPage(caller, query, (...page) => followedPosts(caller.userId, ...page)),
});
