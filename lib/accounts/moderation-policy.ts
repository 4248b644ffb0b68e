import * as z from "zod/mini";
import { isEqual } from "../table/changes.ts";

/** Whose posts or comments are held for the team: nobody's, newcomers', or all but the team's own. */
export const Whose = z.enum(["none", "first", "all"]);
export type Whose = z.infer<typeof Whose>;

/** What the owner lets the team look at before others see it. */
export const PolicyItem = z.object({
  posts: Whose,
  comments: Whose,
  /** Whether texts of newcomers with links are held. */
  links: z.boolean(),
  /** A text with one of these words is held. */
  words: z.array(z.string()),
  /** Since when newcomers are held, in milliseconds since 1970: who wrote something before that is none. */
  since: z.number(),
});
export type Policy = z.output<typeof PolicyItem>;

/** The policy of a site whose owner has not chosen one. */
export const NOTHING_HELD: Policy = { posts: "none", comments: "none", links: false, words: [], since: 0 };

/** Whether a policy asks if a user is a newcomer. */
function looksAtNewcomers({ posts, comments, links }: Policy): boolean {
  return posts === "first" || comments === "first" || links;
}

/** A policy as the owner changes it. It keeps its time as long as it looks at newcomers. */
export function changedPolicy(before: Policy, change: Partial<Omit<Policy, "since">>, now = Date.now()): Policy {
  const after = { ...before, ...change };
  if (isEqual(after, before)) return before;
  return looksAtNewcomers(before) ? after : { ...after, since: now };
}
