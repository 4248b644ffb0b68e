import { defineBackground } from "../../lib/background.ts";
import { isBoardOrRoadmapList } from "../../lib/data/keys.ts";
import * as lists from "../../lib/data/lists.ts";
import * as posts from "../../lib/data/posts.ts";
import * as votes from "../../lib/data/votes.ts";

/** Sweeps what a deleted post, board or roadmap left behind, then its tombstone; taken up again after a crash, nothing is left. */
export const handler = defineBackground(
  {
    name: "sweep",
    takes: "DELETED",
    table: {
      VOTES: ["query", "deleteAlone"],
      USER: ["deleteAlone"],
      LIST: ["query", "deleteAlone"],
      COUNTS: ["query", "deleteAlone"],
      DELETED: ["deleteAlone"],
    },
  },
  async (deleted) => {
    if (isBoardOrRoadmapList(deleted)) await lists.sweep(deleted);
    else await votes.sweep(deleted);
    await posts.forget(deleted);
  },
);
