import type { Decision, Held } from "./queue-row.tsx";
import { teamText } from "./team-text.ts";

type Key = Parameters<typeof teamText>[0];

// What is said of a decision on many things: those that are held are declined, those that everybody sees are
// deleted.

/** How many of some things are held, are posts and comments that everybody sees, and how many votes go with these. */
function countsOf(chosen: readonly Held[]) {
  const seen = chosen.filter(({ reports }) => reports);
  // What is gone, or a part of another post by now, is not deleted.
  const posts = seen.filter(({ votesCount }) => votesCount !== null);
  const comments = seen.filter(({ kind, post }) => kind === "comment" && post);
  return {
    held: chosen.length - seen.length,
    seen: seen.length,
    posts: posts.length,
    comments: comments.length,
    votes: posts.reduce((sum, { votesCount }) => sum + (votesCount ?? 0), 0),
  };
}

/** What the buttons are called that decide some things. Before one is chosen, as for what is held. */
export function labelsFor(chosen: readonly Held[]): Record<Decision, string> {
  const { held, seen } = countsOf(chosen);
  const of = (forHeld: Key, forSeen: Key, forBoth: Key): string => {
    if (seen === 0) return teamText(forHeld);
    return teamText(held === 0 ? forSeen : forBoth);
  };
  return {
    approve: of("approveSelected", "keepSelected", "approveOrKeepSelected"),
    decline: of("declineSelected", "deleteSelected", "declineOrDeleteSelected"),
    suspend: of("suspendSelected", "deleteAndSuspendSelected", "declineOrDeleteAndSuspendSelected"),
  };
}

/** The questions before some things are declined or deleted: how many of each kind, and how many votes go with them. */
export function questionsFor(chosen: readonly Held[]): Record<"decline" | "suspend", string> {
  const { held, posts, comments, votes } = countsOf(chosen);
  const count = (key: Key, n: number): string[] => (n > 0 ? [teamText(key, { n })] : []);
  const deleted = [
    ...count("askDeletePosts", posts),
    ...count("votesGo", votes),
    ...count("askDeleteComments", comments),
  ];
  const n = chosen.length;
  return {
    decline: [...count("askDeclineSelected", held), ...deleted].join(" "),
    suspend: [teamText("askSuspendAuthors", { n }), ...count("askDeclineSelected", held), ...deleted].join(" "),
  };
}
