import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { PostPageQuery, postPage, readsOfPostPage } from "../../lib/http/post-pages.ts";
import { PostPage } from "../../lib/http/resources/post-pages.ts";
import { ownPosts } from "../../lib/posts/own-posts.ts";

/** Lists the posts that the caller has written, the newest first. */
export const handler = defineEndpoint({
  name: "users-posts",
  route: "GET /users/profile/posts",
  request: z.object({ query: PostPageQuery }),
  response: PostPage,
  table: { USER: ["get", "query"], CATALOGUE: ["get", "query"], POSTS: ["get"] },
  expectedReads: ({ query }) => readsOfPostPage(query),
  handle: ({ caller, query }) => postPage(caller, query, (...page) => ownPosts(caller.userId, "post", ...page)),
});
