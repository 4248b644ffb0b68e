import { defineBackground } from "../../lib/background.ts";
import * as posts from "../../lib/data/posts.ts";
import * as votes from "../../lib/data/votes.ts";

/** Deletes the votes of each deleted post, then its tombstone; taken up again after a crash, nothing is left. */
export const handler = defineBackground(
  {
    name: "sweep-votes",
    takes: "DELETED",
    table: { VOTES: ["query", "deleteAlone"], USER: ["deleteAlone"], DELETED: ["deleteAlone"] },
  },
  async (postId) => {
    await votes.sweep(postId);
    await posts.forget(postId);
  },
);
