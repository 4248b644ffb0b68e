import * as z from "zod/mini";
import * as users from "../../lib/accounts/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { UserId } from "../../lib/http/id-inputs.ts";
import { PostPageQuery, postPage, readsOfPostPage } from "../../lib/http/post-pages.ts";
import { Author, authorView } from "../../lib/http/resources/accounts.ts";
import { PostPage } from "../../lib/http/resources/post-pages.ts";
import { ownPosts } from "../../lib/posts/own-posts.ts";

/** Lists the posts that a person has written, the newest first. */
export const handler = defineEndpoint({
  name: "users-posts-of",
  route: "GET /users/{userId}/posts",
  permission: "post:moderate",
  request: z.object({ params: z.object({ userId: UserId }), query: PostPageQuery }),
  response: z.extend(PostPage, { user: Author }),
  errors: ["USER_NOT_FOUND"],
  table: { USER: ["get", "query"], CATALOGUE: ["get", "query"], POSTS: ["get"] },
  expectedReads: ({ query }) => readsOfPostPage(query),
  prefetch: ({ params: { userId } }) => users.find(userId),
  handle: async ({ params: { userId }, caller, query, prefetched: user, fail }) => {
    if (!user) throw fail("USER_NOT_FOUND");
    const page = await postPage(caller, query, (...place) => ownPosts(userId, "post", ...place));
    return { ...page, user: authorView(users.shownOf(user)) };
  },
});
