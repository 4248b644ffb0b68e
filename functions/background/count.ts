import { defineWork } from "../../lib/background.ts";
import * as counting from "../../lib/figures/counting.ts";

/** Counts the figures of the site, each hour. */
export const work = defineWork(
  {
    name: "count",
    takes: "COUNTING",
    table: {
      COUNTING: ["get", "put", "updateAlone", "deleteAlone"],
      FIGURES: ["get", "query", "updateAlone"],
      USERS: ["query"],
      LIST: ["query"],
      COUNTS: ["query"],
      TOP: ["query"],
      TRENDING: ["query"],
      POSTS: ["get", "query"],
      VOTES: ["query"],
      EVENTS: ["query"],
      CATALOGUE: ["query"],
    },
  },
  (_job, isOver) => counting.carryOut(isOver),
  { eachHour: () => counting.begin() },
);
