import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { OwnQuery, ownPage, readsOfOwnPage } from "../../lib/http/own-posts.ts";
import { OwnPage } from "../../lib/http/resources/own-posts.ts";

/** Lists the posts that the caller has written, the newest first. */
export const handler = defineEndpoint({
  name: "users-posts",
  route: "GET /users/profile/posts",
  request: z.object({ query: OwnQuery }),
  response: OwnPage,
  table: { USER: ["get", "query"], CATALOGUE: ["query"], POSTS: ["get"] },
  expectedReads: ({ query }) => readsOfOwnPage(query),
  handle: ({ caller, query }) => ownPage(caller, "post", query),
});
