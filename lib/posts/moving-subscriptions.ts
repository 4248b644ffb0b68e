import * as z from "zod/mini";
import { holdersOf } from "../accounts/holders.ts";
import { stillHas } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { check, create, type Part, put, remove } from "../table/parts.ts";
import { range } from "../table/ranges.ts";
import { getFirst, getMany } from "../table/reads.ts";
import { commitSlice, type Moved, whileMoving } from "../votes/moving-votes.ts";
import { summary } from "../votes/votes.ts";
import { SubscriptionItem } from "./subscriptions.ts";

// Who chose to follow a duplicate, or to leave it, follows or leaves the post that it was merged into. The choices on
// the duplicate stay where they are, so that they hold again after the merge was taken back; the choices on the other
// post say where they come from.

/** How many choices are looked at in a transaction: each has four parts at most. */
const AT_ONCE = 20;

/** Parses a choice, and the duplicate from which a merge has copied it. */
export const Choice = z.extend(SubscriptionItem, { pk: z.string(), from: z.optional(z.string()) });

/**
 * The next choices on a post after an account, and the choices of the same accounts on another post, which may be gone.
 */
async function nextChoices(of: string, other: string, after: string | undefined) {
  const [{ items: choices }, voters] = await Promise.all([
    getFirst(range.subscriptions(of, after), Choice, AT_ONCE),
    summary(other),
  ]);
  const keys = choices.map(({ sk: userId }) => key.subscription(other, userId));
  const there = new Map((await getMany(keys, Choice)).map((choice) => [choice.sk, choice]));
  return { choices, there, isGone: voters === undefined };
}

export type MovedChoices = { moved: Moved; after?: string | undefined };

async function outcomeOf(parts: Record<string, Part>, choices: { sk: string }[]): Promise<MovedChoices> {
  const moved = await commitSlice(parts, choices.length, AT_ONCE);
  return moved === "changed meanwhile" ? { moved } : { moved, after: choices.at(-1)?.sk };
}

/** Copies the next choices on a duplicate, after an account, to the post that it was merged into. */
export async function moveChoices(from: string, into: string, after?: string): Promise<MovedChoices> {
  const { choices, there, isGone } = await nextChoices(from, into, after);
  if (choices.length === 0) return { moved: "none left" };
  if (isGone) return { moved: "no such post" };
  const { users } = await holdersOf(choices.map(({ sk }) => sk));
  // Who has chosen on the other post keeps that choice. The erasure of an account removes its choices.
  const copied = choices.filter(({ sk }) => !there.has(sk) && users.has(sk));
  const parts: Record<string, Part> = { voters: check(key.voters(into), whileMoving("incoming", from)) };
  for (const { sk: userId, on } of copied) {
    parts[`account ${userId}`] = check(key.user(userId), { if: "attribute_exists(pk)" });
    parts[`choice ${userId}`] = create(key.subscription(into, userId), { on, from });
    parts[`follow ${userId}`] = put(key.userFollow(userId, into), {});
  }
  return outcomeOf(parts, choices);
}

/** Takes back the next choices, after an account, that a merge has copied and that nobody has changed since. */
export async function moveChoicesBack(from: string, into: string, after?: string): Promise<MovedChoices> {
  const { choices, there, isGone } = await nextChoices(from, into, after);
  // The choices on a deleted post go with it.
  if (choices.length === 0 || isGone) return { moved: "none left" };
  const parts: Record<string, Part> = { voters: check(key.voters(into), whileMoving("outgoing", from)) };
  for (const { sk: userId } of choices) {
    if (there.get(userId)?.from !== from) continue;
    parts[`choice ${userId}`] = remove(key.subscription(into, userId), stillHas({ from }));
    parts[`follow ${userId}`] = remove(key.userFollow(userId, into));
  }
  return outcomeOf(parts, choices);
}
