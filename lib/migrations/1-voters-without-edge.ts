import { setFields, stillHas } from "../table/changes.ts";
import { range } from "../table/keys.ts";
import type { Migration } from "./migration.ts";

/** Removes what voters items needed while `first` held the earliest votes: `edge` and `cast`. */
export const votersWithoutEdge: Migration = {
  title: "remove edge and cast from voters items",
  walks: range.posts(),
  table: { POSTS: ["query", "update"] },
  change: ({ pk, sk, edge, cast }) => {
    if (edge === undefined && cast === undefined) return undefined;
    return { voters: setFields({ pk, sk }, { edge: undefined, cast: undefined }, stillHas({ edge, cast })) };
  },
};
