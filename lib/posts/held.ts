import * as z from "zod/mini";
import { stillHas } from "../table/changes.ts";
import { idIn, key } from "../table/keys.ts";
import { create, type Part, remove, update } from "../table/parts.ts";
import { range } from "../table/ranges.ts";
import { get, getFirst, getMany, getRange } from "../table/reads.ts";
import { transact } from "../table/transactions.ts";
import { heldFor } from "./holding.ts";
import { type Reported, ReportedItem } from "./reports.ts";

// A post or comment that waits for the team. It lies under keys of its own, so that nothing that reads posts, comments,
// lists, counts, words or events can meet it. docs/data-model.md#held-posts-and-comments

/** The most posts and comments of one account that wait at a time: nobody fills the queue alone. */
export const MOST_HELD = 20;

const common = { sk: z.string(), userId: z.string(), reasons: z.array(z.enum(heldFor)) };

const HeldPostItem = z.object({
  ...common,
  kind: z.literal("post"),
  title: z.string(),
  contentMarkdown: z.optional(z.string()),
  boardId: z.optional(z.string()),
});

const HeldCommentItem = z.object({
  ...common,
  kind: z.literal("comment"),
  postId: z.string(),
  body: z.string(),
  parentId: z.optional(z.string()),
});

const HeldItem = z.pipe(
  z.discriminatedUnion("kind", [HeldPostItem, HeldCommentItem]),
  z.transform(({ sk, ...held }) => ({ id: sk, ...held })),
);

/** Something that waits, under the id that it has once it is approved. */
export type Held = z.output<typeof HeldItem>;
export type HeldPost = Extract<Held, { kind: "post" }>;
export type HeldComment = Extract<Held, { kind: "comment" }>;

type Further = Record<string, Part | undefined>;

/** Holds a post or comment, with further parts; "too many" if its author has as many that wait, "gone" if erased. */
export async function hold({ id, ...held }: Held, further: Further = {}): Promise<"held" | "too many" | "gone"> {
  const { userId } = held;
  const outcome = await transact<string>({
    held: create(key.held(id), held),
    userHeld: create(key.userHeld(userId, id)),
    account: update(key.user(userId), "ADD held :one", {
      if: "attribute_exists(pk) AND (attribute_not_exists(held) OR held < :most)",
      values: { ":one": 1, ":most": MOST_HELD },
    }),
    ...further,
  });
  if (outcome.done) return "held";
  return outcome.failed.account === "no item" ? "gone" : "too many";
}

export function find(id: string): Promise<Held | undefined> {
  return get(key.held(id), HeldItem);
}

/** Reads held posts and comments by their ids, in no order; a decided one is left out. */
export function findAll(ids: string[]): Promise<Held[]> {
  return getMany(ids.map(key.held), HeldItem);
}

/** A post or comment that waits for a decision of the team: one that it holds, or one that people have reported. */
export const WaitingItem = z.union([HeldItem, ReportedItem]);
export type Waiting = Held | Reported;

/** Whether it is there, and was reported; otherwise it is held. */
export function isReported(waiting: Waiting): waiting is Reported {
  return waiting.kind === "reported";
}

/** The name of an entry of the queue: a thing is held once, but its reports can bring it there again and again. */
export function entryOf(waiting: Waiting): string {
  return isReported(waiting) ? (waiting.entry ?? waiting.id) : waiting.id;
}

/** Reads waiting posts and comments by their ids, in no order; a decided one is left out. */
export function findAllWaiting(ids: string[]): Promise<Waiting[]> {
  return getMany(ids.map(key.held), WaitingItem);
}

/** The first that wait, the oldest first, after one of them. */
export async function firstWaiting(count: number, after?: string): Promise<{ found: Waiting[]; more: boolean }> {
  const { items, more } = await getFirst(range.held(after), WaitingItem, count + 1);
  return { found: items.slice(0, count), more: items.length > count || more };
}

/** The ids of what of an account waits, the newest first: 1 R, where the texts cost up to 100. */
export async function idsOfHeld(userId: string): Promise<string[]> {
  const rows = await getRange(range.userHeld(userId), z.object({ sk: z.string() }));
  return rows.map(({ sk }) => idIn(sk)).reverse();
}

/** What of an account waits, the newest first. */
export async function heldOf(userId: string): Promise<Held[]> {
  const found = await findAll(await idsOfHeld(userId));
  return found.sort((a, b) => (a.id < b.id ? 1 : -1));
}

/**
 * The parts that take something out of the queue. `held` fails if it was decided meanwhile, also if it was approved and
 * then reported.
 */
export function endParts({ id, userId }: Pick<Held, "id" | "userId">) {
  return {
    held: remove(key.held(id), stillHas({ userId })),
    userHeld: remove(key.userHeld(userId, id)),
  } satisfies Record<string, Part>;
}

/** The part that counts some out at their author's account, as `accepted` once something was approved. */
export function countOutPart({ userId }: Pick<Held, "userId">, { accepted = false, n = 1 } = {}): Part {
  return update(key.user(userId), accepted ? "SET accepted = :true ADD held :less" : "ADD held :less", {
    if: "attribute_exists(pk)",
    values: { ":less": -n, ...(accepted && { ":true": true }) },
  });
}

/** Takes something out of the queue: its author or the team ends its wait. Returns whether it waited. */
export async function takeOut(held: Pick<Held, "id" | "userId">): Promise<boolean> {
  const outcome = await transact<string>({ ...endParts(held), account: countOutPart(held) });
  if (outcome.done) return true;
  if (outcome.failed.held) return false;
  // The account is gone: nothing counts it.
  return (await transact<string>(endParts(held))).done;
}
