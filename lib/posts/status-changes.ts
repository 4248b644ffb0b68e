import * as z from "zod/mini";
import { idIn, key, mark } from "../table/keys.ts";
import { create, type Part, update } from "../table/parts.ts";
import { range, type Side } from "../table/ranges.ts";
import { getFirst } from "../table/reads.ts";
import type { StatusLetter } from "../values/statuses.ts";

export const StatusChangeItem = z.pipe(
  z.object({
    pk: z.string(),
    sk: z.string(),
    from: z.optional(z.string()),
    to: z.optional(z.string()),
    by: z.string(),
  }),
  z.transform(({ pk, sk, ...change }) => ({
    postId: idIn(pk),
    changeId: sk.slice(mark.statusChange.length),
    ...change,
  })),
);

/** A change of the status of a post, by the letters before and after; it has the id of its event. */
export type StatusChange = z.output<typeof StatusChangeItem>;

/** The parts that keep a change of the status with its post, and count it there. */
export function statusChangeParts(
  postId: string,
  changeId: string,
  change: { from: StatusLetter | undefined; to: StatusLetter | undefined; by: string },
): Record<string, Part> {
  return {
    statusChange: create(key.statusChange(postId, changeId), change),
    statusChanges: update(key.voters(postId), "ADD statuses :one", {
      if: "attribute_exists(pk)",
      values: { ":one": 1 },
    }),
  };
}

/** The parts that store earlier changes of the status of a post, and count them. */
export function importedChangesParts(postId: string, changes: StatusChange[]): Record<string, Part> {
  const stored = changes.map(({ changeId, from, to, by }) => [
    `change ${changeId}`,
    create(key.statusChange(postId, changeId), { from, to, by }),
  ]);
  const counted = update(key.voters(postId), "ADD statuses :more", {
    if: "attribute_exists(pk)",
    values: { ":more": changes.length },
  });
  return { ...Object.fromEntries(stored), statusChanges: counted };
}

/** Reads up to `count` changes of the status of a post on one side of an id: the newest first, if `descending`. */
export async function list(
  postId: string,
  { count, side = {}, descending }: { count: number; side?: Side; descending: boolean },
): Promise<StatusChange[]> {
  return (await getFirst(range.statusChanges(postId, side), StatusChangeItem, count, { descending })).items;
}
