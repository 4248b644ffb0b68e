import * as z from "zod/mini";
import { type Key, key } from "../../../lib/table/keys.ts";
import type { FacetCodes, Placement } from "../../../lib/table/post-lists.ts";
import { OPEN_LETTER } from "../../../lib/values/statuses.ts";
import { bytesOf, numberOf } from "../../../lib/values/words.ts";
import { type KindName, kindOf, parseAs, type ValueOf } from "./kinds.ts";

/** A problem, and the key of its item (`pk | sk`). */
export type Finding = { at: string; problem: string };

export type Findings = Generator<Finding, void, undefined>;

export function finding({ pk, sk }: Key, problem: string): Finding {
  return { at: textOf({ pk, sk }), problem };
}

export type Item = Key & Record<string, unknown>;

type Stored<K extends KindName> = { key: Key; value: ValueOf<K> };

/** A whole table in memory, by kind and by key. */
export type StoredTable = {
  all: <K extends KindName>(kind: K) => Stored<K>[];
  at: <K extends KindName>(kind: K, key: Key) => ValueOf<K> | undefined;
  has: (kind: KindName, key: Key) => boolean;
};

export function textOf({ pk, sk }: Key): string {
  return `${pk} | ${sk}`;
}

/** Sorts items by kind. An item of no kind, or one that does not parse, is a finding. */
export function sortByKind(items: Item[]): { table: StoredTable; findings: Finding[] } {
  const found = new Map<KindName, Map<string, Stored<KindName>>>();
  const findings: Finding[] = [];
  for (const item of items) {
    const kind = kindOf(item);
    const parsed = kind && parseAs(kind, item);
    if (!parsed) findings.push(finding(item, "is of no kind that the data model knows"));
    else if (!parsed.success) findings.push(finding(item, `does not parse: ${z.prettifyError(parsed.error)}`));
    else {
      const stored = { key: { pk: item.pk, sk: item.sk }, value: parsed.data } as Stored<KindName>;
      found.set(kind, (found.get(kind) ?? new Map()).set(textOf(item), stored));
    }
  }
  const at = (kind: KindName, key: Key) => found.get(kind)?.get(textOf(key))?.value;
  const all = (kind: KindName) => [...(found.get(kind)?.values() ?? [])];
  return { table: { all, at, has: (kind, key) => at(kind, key) !== undefined } as StoredTable, findings };
}

// The checker reads the names of lists itself: it must not trust the code that it checks (lib/table/post-lists.ts).

/** The text behind the first `#`: the id in `USER#<id>`, the name of a list in `LIST#<list>`. */
export function idIn(text: string): string {
  return text.slice(text.indexOf("#") + 1);
}

/** Whether a list exists. The list of a board, roadmap or tag exists with its owner, any other always. */
export function isLiveList({ has }: StoredTable, list: string): boolean {
  if (list.startsWith("BOARD#")) return has("board", { pk: "CATALOGUE", sk: list });
  if (list.startsWith("ROADMAP#")) return has("roadmap", { pk: "CATALOGUE", sk: list });
  if (list.startsWith("TAG#")) return has("tag", { pk: "CATALOGUE", sk: list });
  return list === "ALL" || list.startsWith("STATUS#");
}

/** The names of the existing lists that a post is in. */
export function listsOf(table: StoredTable, { boardId, roadmapId, status, tagIds = [] }: Placement): string[] {
  const lists = ["ALL", `STATUS#${status ?? OPEN_LETTER}`];
  if (boardId !== undefined) lists.push(`BOARD#${boardId}`);
  if (roadmapId !== undefined) lists.push(`ROADMAP#${roadmapId}`);
  lists.push(...tagIds.map((tagId) => `TAG#${tagId}`));
  return lists.filter((list) => isLiveList(table, list));
}

/** The names of those that have orders by rank. */
export function rankedListsOf(table: StoredTable, placement: Placement): string[] {
  return listsOf(table, placement).filter((list) => !/^(STATUS|TAG)#/.test(list));
}

/** The facets of a post as its rows hold them. */
export function codesOf({ boardId, roadmapId, status, tagIds }: Placement): FacetCodes {
  return { b: numberAt(boardId), r: numberAt(roadmapId), s: status, t: tagIds && bytesOf(tagIds.map(numberOf)) };
}

/** The number that stands for an id in rows (`facetCodes`). */
export function numberAt(id: string | undefined): number | undefined {
  return id === undefined ? undefined : numberOf(id);
}

/** Yields a finding if a row differs from what it should be. */
export function* differing(row: Key, { b, r, s, t }: FacetCodes, right: FacetCodes): Findings {
  if (b === right.b && r === right.r && s === right.s && hexOf(t) === hexOf(right.t)) return;
  yield finding(row, `has the facets ${textOfCodes({ b, r, s, t })} instead of ${textOfCodes(right)}`);
}

function hexOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes && Buffer.from(bytes).toString("hex");
}

function textOfCodes({ t, ...codes }: FacetCodes): string {
  return JSON.stringify({ ...codes, t: hexOf(t) });
}

/** Whether a post (its id) or a list (its name) is deleted and waits for the sweep. */
export function isBeingSwept({ has }: StoredTable, deleted: string): boolean {
  return has("tombstone", { pk: "DELETED", sk: deleted });
}

/** Whether there is a post with this id, or one was merged into another one. */
export function isOnPost({ has }: StoredTable, postId: string): boolean {
  return has("post", key.post(postId)) || has("merged", key.merged(postId));
}

/** Whether an account was erased, and its job has ended. */
export function isErased({ has }: StoredTable, userId: string): boolean {
  return has("erased", key.erased(userId)) && !has("erasure", key.erasure(userId));
}
