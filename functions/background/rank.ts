import { defineFollowUp } from "../../lib/follow-up.ts";
import * as ranks from "../../lib/lists/ranks.ts";

/** Keeps the rows and counts of the orders by rank: which place each post has in `top` and `trending`. */
export const work = defineFollowUp(
  {
    name: "rank",
    queue: "RANK",
    table: {
      DERIVED: ["get", "put", "delete"],
      POSTS: ["get"],
      CATALOGUE: ["get"],
      TOP: ["put", "delete"],
      TOP_COUNTS: ["update"],
      TRENDING: ["put", "delete"],
      TRENDING_COUNTS: ["update"],
    },
  },
  ranks.rank,
  ranks.behind,
);
