import { key } from "../../../lib/table/keys.ts";
import { type Findings, finding, groupBy, idIn, isBeingSwept, type StoredTable } from "./stored.ts";

/** Every comment and note has its post, which counts it, and its user's entry, which has its comment. */
export function* comments(table: StoredTable): Findings {
  const { all, at, has } = table;
  for (const kind of ["comment", "note"] as const) {
    const stored = all(kind);
    for (const { key: comment, value } of stored) {
      const isSwept = isBeingSwept(table, value.postId);
      if (!isSwept && !has("post", key.post(value.postId))) yield finding(comment, "is on no post");
      const entry = at("userComment", key.userComment(value.author.userId, value.commentId));
      const isRight = entry?.postId === value.postId && (entry.internal ?? false) === value.isInternal;
      if (!isRight && !(isSwept && !entry)) yield finding(comment, "is not its user's comment");
    }
    const ofPost = groupBy(stored, ({ value }) => value.postId);
    for (const { key: voters, value } of all("voters")) {
      const counted = kind === "comment" ? value.comments : value.notes;
      const number = ofPost.get(value.postId)?.length ?? 0;
      if (counted !== number) yield finding(voters, `counts ${counted} ${kind}s and has ${number}`);
    }
  }
  for (const { key: entry, value } of all("userComment")) {
    const kind = value.internal ? "note" : "comment";
    const comment = at(kind, key[kind](value.postId, idIn(entry.sk)));
    if (comment?.author.userId !== idIn(entry.pk)) yield finding(entry, "has no comment");
  }
}
