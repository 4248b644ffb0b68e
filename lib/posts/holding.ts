import * as z from "zod/mini";
import type { Policy } from "../accounts/moderation-policy.ts";
import { isStaff } from "../accounts/roles.ts";
import type { UserRecord } from "../accounts/users.ts";
import { range } from "../table/ranges.ts";
import { getFirst } from "../table/reads.ts";
import { firstIdAt } from "../values/ids.ts";
import { hasLink, wordsIn } from "../values/watched-text.ts";

// Which posts and comments wait for the team, by the policy of the owner. docs/data-model.md#held-posts-and-comments

/** Why something waits: a newcomer wrote it, it has links or words of the list, or all are held. */
export const heldFor = ["first", "links", "words", "all"] as const;
export type HeldFor = (typeof heldFor)[number];

type Writer = Pick<UserRecord, "userId" | "role" | "accepted">;
type Kind = "post" | "comment";

/**
 * Whether the team has approved nothing of an account yet, and others have seen nothing of it before newcomers were
 * held. Only accounts that are older than that are looked up.
 */
async function isNewcomer({ userId, accepted }: Writer, kind: Kind, since: number): Promise<boolean> {
  if (accepted) return false;
  const first = firstIdAt(since);
  if (userId >= first) return true;
  const { items } = await getFirst(range.userWrote(userId, kind, first), z.object({ sk: z.string() }), 1);
  return items.length === 0;
}

/** Why the policy holds a text of a user; for no reason if it does not. */
export async function reasonsToHold(
  policy: Policy | undefined,
  kind: Kind,
  writer: Writer,
  texts: readonly string[],
): Promise<HeldFor[]> {
  if (!policy || isStaff(writer)) return [];
  const whose = kind === "post" ? policy.posts : policy.comments;
  const hasLinks = policy.links && texts.some(hasLink);
  const isNew = (whose === "first" || hasLinks) && (await isNewcomer(writer, kind, policy.since));
  const holds: Record<HeldFor, boolean> = {
    first: whose === "first" && isNew,
    links: hasLinks && isNew,
    words: texts.some((text) => wordsIn(text, policy.words).length > 0),
    all: whose === "all",
  };
  return heldFor.filter((reason) => holds[reason]);
}

/** A text that changes: a title or content as it was and as it is wanted. */
export type Edited = { before: string; after: string };

/** What a changed text has and had not before. */
function added({ before, after }: Edited, words: readonly string[]) {
  const known = new Set(wordsIn(before, words));
  return {
    link: hasLink(after) && !hasLink(before),
    word: wordsIn(after, words).some((word) => !known.has(word)),
  };
}

/**
 * Why the policy does not let an author change what others see already: otherwise links and words could be put in
 * later. The first reason counts.
 */
export async function reasonAgainstChange(
  policy: Policy | undefined,
  kind: Kind,
  writer: Writer,
  texts: readonly Edited[],
): Promise<HeldFor | undefined> {
  const changed = texts.filter(({ before, after }) => before !== after);
  if (!policy || isStaff(writer) || changed.length === 0) return undefined;
  if ((kind === "post" ? policy.posts : policy.comments) === "all") return "all";
  const news = changed.map((text) => added(text, policy.words));
  if (news.some(({ word }) => word)) return "words";
  const hasLinks = policy.links && news.some(({ link }) => link);
  return hasLinks && (await isNewcomer(writer, kind, policy.since)) ? "links" : undefined;
}
