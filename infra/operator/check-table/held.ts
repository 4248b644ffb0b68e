import { isReported } from "../../../lib/posts/held.ts";
import { MOST_TOLD, type Reported } from "../../../lib/posts/reports.ts";
import { type Key, key } from "../../../lib/table/keys.ts";
import { type Findings, finding, idIn, isBeingSwept, isOnPost, type StoredTable } from "./stored.ts";

function idsOfComments({ all }: StoredTable): Set<string> {
  return new Set([...all("comment"), ...all("note")].map(({ key: { sk } }) => sk));
}

/** Whether an account is there, or is being erased. */
function isKnown({ has }: StoredTable, userId: string): boolean {
  return has("user", key.user(userId)) || has("erasure", key.erasure(userId));
}

/**
 * A held post or comment is not a post or comment yet. Its author's account leads to it and counts it; an account that
 * is gone has an erasure, which removes it.
 */
export function* held(table: StoredTable): Findings {
  const { all, has } = table;
  const comments = idsOfComments(table);
  const held = all("held").flatMap(({ key: at, value }) => (isReported(value) ? [] : [{ at, value }]));
  for (const { at, value } of held) {
    if (isOnPost(table, value.id) || comments.has(value.id)) yield finding(at, "waits for the team and is there");
    if (!has("userHeld", key.userHeld(value.userId, value.id))) yield finding(at, "is not found from its author");
    if (!isKnown(table, value.userId)) yield finding(at, "has no author");
  }
  for (const { key: row } of all("userHeld"))
    if (!has("held", key.held(idIn(row.sk)))) yield finding(row, "leads to nothing that waits");
  const waiting = Map.groupBy(held, ({ value }) => value.userId);
  for (const { key: account, value } of all("user")) {
    const counted = value.held ?? 0;
    const there = waiting.get(value.userId)?.length ?? 0;
    if (counted !== there) yield finding(account, `counts ${counted} things that wait and there are ${there}`);
  }
}

/** What was reported is there. Who reported it has an account, unless that is being erased, and what leads to it. */
export function* reports(table: StoredTable): Findings {
  const comments = idsOfComments(table);
  for (const { key: at, value } of table.all("held")) {
    if (!isReported(value)) continue;
    if (!isThere(table, value, comments)) yield finding(at, "reports nothing that is there");
    yield* told(table, at, value);
  }
  for (const { key: at } of table.all("userReport")) {
    if (!isKnown(table, idIn(at.pk))) yield finding(at, "has no account");
  }
}

/** Whether a comment is there, or a post, merged or not, or one that waits for its sweep. */
function isThere(table: StoredTable, { id, what }: Reported, comments: Set<string>): boolean {
  return what === "comment" ? comments.has(id) : isOnPost(table, id) || isBeingSwept(table, id);
}

function* told({ has }: StoredTable, at: Key, { id, count, first }: Reported): Findings {
  if (first.length > MOST_TOLD || first.length > count) yield finding(at, "tells of too many reports");
  for (const { by } of first) {
    if (!has("userReport", key.userReport(by, id))) yield finding(at, `is not found from ${by}`);
  }
}
