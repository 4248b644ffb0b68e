import * as z from "zod/mini";
import { idIn, key } from "../table/keys.ts";
import { check, type Part, put } from "../table/parts.ts";
import { get, getMany } from "../table/reads.ts";
import { transact } from "../table/transactions.ts";

// Authors and voters follow a post without an item. An item holds an account's own choice to follow or to leave;
// another one leads to it from the account.

export const SubscriptionItem = z.object({ sk: z.string(), on: z.boolean() });

const Choice = z.object({ pk: z.string(), on: z.boolean() });

/** Whether a user follows a post (true) or left it (false) by choice; undefined without a choice. */
export async function choiceOf(userId: string, postId: string): Promise<boolean | undefined> {
  return (await get(key.subscription(postId, userId), SubscriptionItem))?.on;
}

/** The choices of a user on some posts. */
export async function choicesOf(userId: string, postIds: string[]): Promise<{ postId: string; on: boolean }[]> {
  const keys = postIds.map((postId) => key.subscription(postId, userId));
  return (await getMany(keys, Choice)).map(({ pk, on }) => ({ postId: idIn(pk), on }));
}

/** The parts that keep choices about a post. `post` fails if it is gone. */
export function choiceParts(
  postId: string,
  choices: { userId: string; on: boolean; from?: string | undefined }[],
): Record<string, Part> {
  const stored = choices.flatMap(({ userId, on, from }) => [
    [`subscription of ${userId}`, put(key.subscription(postId, userId), { on, from })] as const,
    [`follow of ${userId}`, put(key.userFollow(userId, postId), {})] as const,
  ]);
  return {
    ...Object.fromEntries(stored),
    post: check(key.post(postId), { if: "attribute_exists(pk)" }),
  };
}

/** Keeps the choice of a user to follow a post or to leave it. */
export async function choose(userId: string, postId: string, on: boolean): Promise<"chosen" | "no such post"> {
  const outcome = await transact(choiceParts(postId, [{ userId, on }]));
  return outcome.done ? "chosen" : "no such post";
}
