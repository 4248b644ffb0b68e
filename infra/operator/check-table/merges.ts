import { key } from "../../../lib/table/keys.ts";
import { type Findings, finding, idIn, isBeingSwept, type StoredTable } from "./stored.ts";

// The posts that were merged, or taken out of a merge: docs/data-model.md#merged-posts.

/** Whether a post is deleted and waits for the sweep, or was merged into such a post. */
export function goesWithOther(table: StoredTable, postId: string): boolean {
  for (let id: string | undefined = postId; id !== undefined; ) {
    if (isBeingSwept(table, id)) return true;
    id = table.at("merged", key.merged(id))?.into;
  }
  return false;
}

/** Whether votes of a duplicate are still to be moved. */
function isMoving({ at }: StoredTable, postId: string): boolean {
  const job = at("merge", key.merge(postId));
  return job !== undefined && !job.back;
}

/** Every duplicate has a post that it was merged into, which leads to it, and no post of its own. */
export function* merges(table: StoredTable): Findings {
  const { all, has } = table;
  for (const { key: stored, value } of all("merged")) {
    const { into, moved, post } = value;
    const { postId } = post;
    if (has("post", key.post(postId)) || has("voters", key.voters(postId))) yield finding(stored, "is a post, too");
    if (goesWithOther(table, postId)) continue;
    const isThere = has("post", key.post(into)) || has("merged", key.merged(into));
    if (!isThere) yield finding(stored, "was merged into nothing");
    if (!has("duplicate", key.duplicate(into, postId))) yield finding(stored, "is not found from the other post");
    if (!has("userPost", key.userPost(post.author.userId, postId)))
      yield finding(stored, "is not among its author's posts");
    if (moved === isMoving(table, postId)) yield finding(stored, moved ? "still has a job" : "has no job");
  }
  for (const { key: entry, value } of all("duplicate")) {
    const into = table.at("merged", key.merged(value.postId))?.into;
    const isRight = into === idIn(entry.pk);
    if (!isRight && !goesWithOther(table, idIn(entry.pk))) yield finding(entry, "leads to no duplicate");
  }
}

/** A post is locked exactly while a job moves votes to it or from it. */
export function* moves(table: StoredTable): Findings {
  const { all, at } = table;
  for (const { key: stored, value } of all("voters")) {
    const { incoming, outgoing, regaining } = value.move;
    const jobOf = (postId = "") => at("merge", key.merge(postId));
    const isIncoming = jobOf(incoming)?.into === value.postId && !jobOf(incoming)?.back;
    const isOutgoing = jobOf(outgoing)?.into === value.postId && jobOf(outgoing)?.back === true;
    const isReturning = jobOf(value.postId)?.into === regaining;
    if (incoming !== undefined && !isIncoming) yield finding(stored, "is locked for a merge without a job");
    if (outgoing !== undefined && !isOutgoing) yield finding(stored, "is locked for votes to leave, without a job");
    if (regaining !== undefined && !isReturning) yield finding(stored, "waits for its votes without a job");
  }
  for (const { key: job, value } of all("merge")) {
    const { move } = at("voters", key.voters(value.into)) ?? {};
    const isLocked = (value.back ? move?.outgoing : move?.incoming) === job.sk;
    if (move && !isLocked) yield finding(job, "has not locked the other post");
  }
}

/** What a move leaves of votes and comments belongs to a duplicate, or to a post that gets them back. */
export function* movedThings(table: StoredTable): Findings {
  const { all, at, has } = table;
  for (const { key: moved } of [...all("movedVote"), ...all("movedComment")]) {
    const postId = idIn(moved.pk);
    const isKept = has("merged", key.merged(postId)) || at("merge", key.merge(postId))?.back;
    if (!isKept && !goesWithOther(table, postId)) yield finding(moved, "is of no merge");
  }
  for (const kind of ["vote", "comment", "note"] as const) {
    for (const { key: stored } of all(kind)) {
      const postId = idIn(stored.pk);
      const merged = at("merged", key.merged(postId));
      if (merged?.moved && !goesWithOther(table, postId)) yield finding(stored, "was not moved");
    }
  }
}
