import * as z from "zod/mini";
import { stillHas } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { type Condition, check, type Part, put } from "../table/parts.ts";
import { get } from "../table/reads.ts";
import { transact } from "../table/transactions.ts";
import type { Language } from "../values/languages.ts";
import { letterOf, type StatusLetter, statusKinds } from "../values/statuses.ts";
import { urlFor } from "../values/urls.ts";
import { firstStatuses } from "./first-statuses.ts";
import { stampParts } from "./stamp.ts";

const Status = z.object({
  // The id of the status for clients; it never changes.
  statusId: z.string(),
  letter: z.optional(z.string()),
  name: z.string(),
  color: z.string(),
  kind: z.enum(statusKinds),
  // Posts keep an archived status, but it cannot be given to further posts.
  archived: z.optional(z.literal(true)),
  // When it was created, in milliseconds since 1970: before that, another status may have had its letter.
  since: z.optional(z.number()),
});

export type StatusRecord = z.output<typeof Status>;

export const OPEN = "open";

/** The most statuses, archived ones included: the list stays one small item. */
export const MAX_STATUSES = 20;

const letters = "abcdefghijklmnopqrs";

export const StatusesItem = z.object({ sk: z.literal("STATUSES"), statuses: z.array(Status), version: z.number() });

/** The list of statuses, in the owner's order, archived ones last. Every change makes the version greater. */
export type StatusList = { statuses: StatusRecord[]; version: number };

/** A list of statuses; the default one, version 0, until the owner has changed it. */
export function listOf(stored: StatusList | undefined): StatusList {
  return stored ?? { statuses: firstStatuses("en"), version: 0 };
}

/** Writes the list that a site begins with in a language. The English one needs no item. */
export function firstListParts(language: Language): Record<string, Part> {
  if (language === "en") return {};
  return { statuses: put(key.statuses(), { statuses: firstStatuses(language), version: 1 } satisfies StatusList) };
}

export async function read(): Promise<StatusList> {
  return listOf(await get(key.statuses(), StatusesItem));
}

/** The letters of statuses in posts and rows; an unknown id has none. */
export function lettersOf(statuses: StatusRecord[], statusIds: string[]): Set<StatusLetter> {
  return new Set(statuses.filter(({ statusId }) => statusIds.includes(statusId)).map(({ letter }) => letterOf(letter)));
}

/** A status as the owner describes it; without an id it is a new one. */
type StatusDraft = Pick<StatusRecord, "name" | "color" | "kind"> & {
  statusId?: string | undefined;
  archived?: boolean | undefined;
};

/** Whether a draft without an id describes this status: the same list may be sent again after a lost answer. */
function isLike(status: StatusRecord, { name, color, kind, archived = false }: StatusDraft): boolean {
  return (
    status.name === name && status.color === color && status.kind === kind && (status.archived ?? false) === archived
  );
}

/** Replaces the list as it was read. A status that the new list leaves out is archived. `beside` is written with it. */
export async function replace(
  { statuses, version }: StatusList,
  drafts: StatusDraft[],
  beside?: (wanted: StatusRecord[]) => Record<string, Part>,
): Promise<StatusRecord[] | "no such status" | "too many" | "changed meanwhile"> {
  const all = [...statuses];
  const listed = new Set<StatusRecord>();
  const taken = new Set(drafts.map(({ statusId }) => statusId));
  for (const draft of drafts) {
    const { statusId, archived, ...fields } = draft;
    const before = statuses.find((status) =>
      statusId === undefined ? !taken.has(status.statusId) && isLike(status, draft) : status.statusId === statusId,
    );
    if (statusId !== undefined && !before) return "no such status";
    taken.add(before?.statusId);
    const letter = before ? before.letter : [...letters].find((free) => !all.some((status) => status.letter === free));
    if (!before && letter === undefined) return "too many";
    const status = {
      statusId: before?.statusId ?? newIdIn(all, fields.name),
      ...(letter === undefined ? {} : { letter }),
      ...fields,
      since: before ? before.since : Date.now(),
      ...(archived ? { archived: true as const } : {}),
    };
    if (before) all.splice(all.indexOf(before), 1);
    all.push(status);
    listed.add(status);
  }
  const leftOut = all.filter((status) => !listed.has(status)).map((status) => ({ ...status, archived: true as const }));
  const wanted = [...leftOut, ...listed].sort((a, b) => Number(a.archived ?? false) - Number(b.archived ?? false));
  return write(wanted, version, beside?.(wanted));
}

/** Puts a list in the place of the one that a new site begins with, each status with the letter that it gets here. */
export async function importList(drafts: Omit<StatusRecord, "letter">[]): Promise<StatusRecord[]> {
  const free = [...letters];
  const statuses = drafts.map((draft) => {
    const letter = draft.statusId === OPEN ? undefined : free.shift();
    return { ...draft, ...(letter !== undefined && { letter }) };
  });
  await transact({ statuses: put(key.statuses(), { statuses, version: 1 }), ...stampParts() });
  return statuses;
}

/** Removes a status from the list as it was read. */
export function remove({ statuses, version }: StatusList, statusId: string) {
  const left = statuses.filter((status) => status.statusId !== statusId);
  return write(left, version);
}

async function write(
  statuses: StatusRecord[],
  before: number,
  beside: Record<string, Part> = {},
): Promise<StatusRecord[] | "changed meanwhile"> {
  const item = { statuses, version: before + 1 };
  const statusesPart = put(key.statuses(), item, isVersion(before));
  const outcome = await transact<string>({ statuses: statusesPart, ...stampParts(), ...beside });
  return outcome.done ? statuses : "changed meanwhile";
}

function isVersion(version: number): Condition {
  return version === 0 ? { if: "attribute_not_exists(pk)" } : stillHas({ version });
}

/** Part: checks that the list still has the version that was read. */
export function sameList(version: number): Part {
  return check(key.statuses(), isVersion(version));
}

/** The id of a new status: its name as a url, which no other status has. */
function newIdIn(statuses: StatusRecord[], name: string): string {
  for (let attempt = 0; ; attempt++) {
    const id = urlFor(name, "status", attempt);
    if (!statuses.some(({ statusId }) => statusId === id)) return id;
  }
}
