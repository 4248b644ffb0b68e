import type { StatusRecord } from "./statuses.ts";

// What a new list of statuses changes, as the audit log says it.

/**
 * `item`: the status that changes, if it is one alone; `to`: the one before which it was moved. They are empty if there
 * is none. `changed`: its fields, or whether it was created, archived, restored or moved (`order`).
 */
type Told = { item: string; to: string; changed: string[] };

const FIELDS = ["name", "color", "kind"] as const;

function changesOf(status: StatusRecord, before: StatusRecord | undefined): string[] {
  if (!before) return ["created"];
  const fields = FIELDS.filter((field) => status[field] !== before[field]);
  if (status.archived === before.archived) return fields;
  return [...fields, status.archived ? "archived" : "restored"];
}

/** The ids of the statuses that both lists have in use, in their order: an archived one goes to the end by itself. */
function orderIn(list: StatusRecord[], other: StatusRecord[]): string[] {
  const stays = (id: string) => other.some(({ statusId, archived }) => statusId === id && !archived);
  return list.filter(({ statusId, archived }) => !archived && stays(statusId)).map(({ statusId }) => statusId);
}

/** The status without which both orders are the same. Of two neighbours it is the one that comes first now. */
function movedIn(before: string[], after: string[]): string | undefined {
  const without = (ids: string[], id: string) => ids.filter((each) => each !== id).join();
  return after.find((id) => without(before, id) === without(after, id));
}

/** The statuses that change, beside their places. */
function changesIn(before: StatusRecord[], after: StatusRecord[]): { statusId: string; changed: string[] }[] {
  const known = new Map(before.map((status) => [status.statusId, status]));
  const all = after.map((status) => ({
    statusId: status.statusId,
    changed: changesOf(status, known.get(status.statusId)),
  }));
  return all.filter(({ changed }) => changed.length > 0);
}

export function toldOf(before: StatusRecord[], after: StatusRecord[]): Told {
  const changes = changesIn(before, after);
  const changed = [...new Set(changes.flatMap((each) => each.changed))];
  const [only] = changes;
  const single = only && changes.length === 1 ? only.statusId : "";
  const old = orderIn(before, after);
  const now = orderIn(after, before);
  if (old.join() === now.join()) return { item: single, to: "", changed };
  const moved = movedIn(old, now);
  const isAlone = moved !== undefined && changes.every(({ statusId }) => statusId === moved);
  if (!isAlone) return { item: "", to: "", changed: [...changed, "order"] };
  return { item: moved, to: now[now.indexOf(moved) + 1] ?? "", changed: [...changed, "order"] };
}
