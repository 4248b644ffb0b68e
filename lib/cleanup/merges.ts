import { setTimeout as sleep } from "node:timers/promises";
import type * as z from "zod/mini";
import { MergeItem } from "../posts/merging.ts";
import { moveComments, moveCommentsBack } from "../posts/moving-comments.ts";
import { type MovedChoices, moveChoices, moveChoicesBack } from "../posts/moving-subscriptions.ts";
import { turnsEach } from "../runtime/pace.ts";
import { setFields, stillHas } from "../table/changes.ts";
import type { Outcome } from "../table/due.ts";
import { key } from "../table/keys.ts";
import { type Part, remove, update } from "../table/parts.ts";
import { getOrThrow } from "../table/reads.ts";
import { repeated } from "../table/retries.ts";
import type { Commit } from "../table/shared-commit.ts";
import { transact } from "../table/transactions.ts";
import { type Moved, moveVotes, moveVotesBack } from "../votes/moving-votes.ts";
import { derive } from "./derived-rows.ts";

// The job of a merge moves what a duplicate has to the post that it was merged into, or back, some votes or comments in
// each transaction. Each transaction holds by itself, so a job that dies leaves nothing half done, and the next attempt
// takes what is left. At the end it unlocks the posts. docs/data-model.md#merged-posts

type Job = z.output<typeof MergeItem> & { postId: string };

// A transaction writes up to 170 W: a quarter of what a table serves by default.
const nextTurn = turnsEach(1000);

// The erasure of an account takes two walks, which are 15 seconds apart.
const ERASURE_MS = 15_000;

type Options = { isOver?: () => boolean; commit?: Commit | undefined; now?: number };

/** Continues a job. Returns "more" if `isOver` interrupted it, and a time if it waits for an erasure. */
export async function carryOut(
  postId: string,
  { isOver = () => false, commit = transact<string>, now = Date.now() }: Options = {},
): Promise<Outcome> {
  const stored = await getOrThrow(key.merge(postId), MergeItem);
  if (!stored) return "done";
  const job = { postId, ...stored };
  if (!job.back && (await derive(postId, { commit })) === "more") return "more";
  for (const move of movesOf(job)) {
    const moved = await moveAll(move, isOver);
    if (moved === "more") return "more";
    if (moved === "waits") return { notBefore: now + ERASURE_MS };
    if (moved === "no such post") break;
  }
  await end(job);
  return "done";
}

type Move = () => Promise<Moved>;

/** What the job moves, one after the other. */
function movesOf(job: Job): Move[] {
  const { postId, into, back } = job;
  if (back) {
    return [
      () => moveVotesBack(postId, into),
      () => moveCommentsBack(postId, into),
      inOrder((after) => moveChoicesBack(postId, into, after)),
    ];
  }
  return [
    () => moveVotes(postId, into),
    () => moveComments("comment", job),
    () => moveComments("note", job),
    inOrder((after) => moveChoices(postId, into, after)),
  ];
}

/** A move that continues after the last account that it has reached. */
function inOrder(move: (after: string | undefined) => Promise<MovedChoices>): Move {
  let after: string | undefined;
  return async () => {
    const { moved, after: reached = after } = await move(after);
    after = reached;
    return moved;
  };
}

async function moveAll(move: Move, isOver: () => boolean): Promise<"none left" | "waits" | "no such post" | "more"> {
  for (;;) {
    const moved = await repeated(move);
    if (moved !== "moved" && moved !== "moved the rest") return moved;
    if (isOver()) return "more";
    if (moved === "moved") await untilNextTurn();
  }
}

async function untilNextTurn(): Promise<void> {
  const wait = nextTurn() - Date.now();
  if (wait > 0) await sleep(wait);
}

/** Ends a job: it unlocks both posts. */
async function end({ postId, id, into, back }: Job): Promise<void> {
  const there = unlocked(into, back ? "outgoing" : "incoming", postId);
  const here = back ? unlocked(postId, "regaining", into) : setFields(key.merged(postId), { moved: true });
  const job = remove(key.merge(postId), stillHas({ id }));
  // A post may have been deleted: its sweep takes the rest. Another attempt may have ended the job.
  for (const posts of [{ there, here }, { there }, { here }, {}] as Record<string, Part>[]) {
    const outcome = await transact<string>({ job, ...posts });
    if (outcome.done || outcome.failed.job) return;
  }
}

function unlocked(postId: string, name: "incoming" | "outgoing" | "regaining", other: string): Part {
  return update(key.voters(postId), "REMOVE #move ADD moves :one", {
    if: "#move = :other",
    names: { "#move": name },
    values: { ":other": other, ":one": 1 },
  });
}
