import { key } from "../../../lib/table/keys.ts";
import { type Findings, finding, idIn, isOnPost, type StoredTable } from "./stored.ts";

/**
 * A held post or comment is not a post or comment yet. Its author's account leads to it and counts it; an account that
 * is gone has an erasure, which removes it.
 */
export function* held(table: StoredTable): Findings {
  const { all, has } = table;
  const comments = new Set([...all("comment"), ...all("note")].map(({ key: { sk } }) => sk));
  for (const { key: at, value } of all("held")) {
    if (isOnPost(table, value.id) || comments.has(value.id)) yield finding(at, "waits for the team and is there");
    if (!has("userHeld", key.userHeld(value.userId, value.id))) yield finding(at, "is not found from its author");
    const { userId } = value;
    if (!has("user", key.user(userId)) && !has("erasure", key.erasure(userId))) yield finding(at, "has no author");
  }
  for (const { key: row } of all("userHeld"))
    if (!has("held", key.held(idIn(row.sk)))) yield finding(row, "leads to nothing that waits");
  const waiting = Map.groupBy(all("held"), ({ value }) => value.userId);
  for (const { key: account, value } of all("user")) {
    const counted = value.held ?? 0;
    const there = waiting.get(value.userId)?.length ?? 0;
    if (counted !== there) yield finding(account, `counts ${counted} things that wait and there are ${there}`);
  }
}
