import { defineWork } from "../../lib/background.ts";
import * as hotPosts from "../../lib/votes/hot-posts.ts";

/** Looks at each hot post once a minute: with few votes it is hot no longer, and its votes are counted in one item again. */
export const work = defineWork(
  {
    name: "cool-down",
    takes: "HOT",
    table: {
      HOT: ["get", "delete"],
      POSTS: ["get", "update"],
      VOTES: ["query", "update"],
    },
  },
  (postId) => hotPosts.look(postId),
);
