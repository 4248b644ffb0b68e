import { accounts } from "./accounts.ts";
import { comments } from "./comments.ts";
import { keys } from "./keys.ts";
import { lists } from "./lists.ts";
import { places } from "./places.ts";
import { posts } from "./posts.ts";
import { ranks } from "./ranks.ts";
import { settings } from "./settings.ts";
import type { Family } from "./turn.ts";
import { votes } from "./votes.ts";

/** What clients do, by families of endpoints. */
export const families: Record<string, Family> = {
  votes,
  posts,
  lists,
  ranks,
  places,
  comments,
  accounts,
  keys,
  settings,
};
