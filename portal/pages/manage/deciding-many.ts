import { language, t } from "../../text.ts";
import type { Decision, Held } from "./queue-row.tsx";
import { teamText } from "./team-text.ts";

// What is said of a decision on many things: those that are held are declined, those that everybody sees are
// deleted.

/**
 * What the buttons are called that decide some things. Held and published things together are approved or kept; they
 * are deleted alike, since what is declined is deleted too.
 */
export function labelsFor(things: readonly Held[]): Record<Decision, string> {
  const hasSeen = things.some(({ reports }) => reports);
  const isMixed = hasSeen && things.some(({ reports }) => !reports);
  const seenName = isMixed ? "approveOrKeep" : "keep";
  return {
    approve: teamText(hasSeen ? seenName : "approve"),
    decline: hasSeen ? t("delete") : teamText("decline"),
    suspend: teamText(hasSeen ? "deleteAndSuspend" : "declineAndSuspend"),
  };
}

/** Each kind of thing that is deleted and how many there are, as one part of a sentence. */
function thingsIn(chosen: readonly Held[]): string {
  const seen = chosen.filter(({ reports }) => reports);
  const held = chosen.length - seen.length;
  // What is gone, or a part of another post by now, is not deleted.
  const posts = seen.filter(({ votesCount }) => votesCount !== null);
  const votes = posts.reduce((sum, { votesCount }) => sum + (votesCount ?? 0), 0);
  const comments = seen.filter(({ kind, post }) => kind === "comment" && post).length;
  const counted = [
    held > 0 && teamText("heldTexts", { n: held }),
    posts.length > 0 && teamText("seenPosts", { n: posts.length }),
    votes > 0 && t("votes", { n: votes }),
    comments > 0 && teamText("seenComments", { n: comments }),
  ];
  return new Intl.ListFormat(language.value).format(counted.filter((each) => each !== false));
}

/** The questions before some things are declined or deleted: one for all, which names how many of each kind. */
export function questionsFor(chosen: readonly Held[]): Record<"decline" | "suspend", string> {
  const n = chosen.length;
  const things = thingsIn(chosen);
  // Nothing is there any more that could be deleted.
  if (!things) return { decline: "", suspend: teamText("askSuspendAuthors", { n }) };
  const isHeld = !chosen.some(({ reports }) => reports);
  return {
    decline: isHeld ? teamText("askDeclineSelected", { n }) : teamText("askDeleteSelected", { things }),
    suspend: teamText("askDeleteAndSuspendSelected", { things, n }),
  };
}
