import * as boards from "../../lib/catalogue/boards.ts";
import * as catalogue from "../../lib/catalogue/catalogue.ts";
import * as roadmaps from "../../lib/catalogue/roadmaps.ts";
import * as statuses from "../../lib/catalogue/statuses.ts";
import * as tags from "../../lib/catalogue/tags.ts";
import { entryKey, entryPart, type Import } from "../../lib/moving/journal.ts";
import { replanned } from "../../lib/table/retries.ts";
import { transact } from "../../lib/table/transactions.ts";
import { namedIdAt, nameIn } from "../../lib/values/ids.ts";
import type { StatusKind, StatusLetter } from "../../lib/values/statuses.ts";
import { foldCase } from "../../lib/values/text.ts";
import { randomColor, urlFor } from "../../lib/values/urls.ts";
import type { Board, Roadmap, Status, Tag } from "./checked.ts";
import type { Report } from "./formats/form.ts";
import type { Placed, Staging } from "./staging.ts";

// Boards, roadmaps, statuses and tags of the source become those that the site has by that url or name; others are
// made.

/** Where the posts of the source go, by its refs. */
export type Places = {
  boardOf: (ref: string | undefined) => string | undefined;
  roadmapOf: (ref: string | undefined) => string | undefined;
  letterOf: (ref: string | undefined) => StatusLetter | undefined;
  tagIdOf: (ref: string) => string | undefined;
};

// Words by which other portals name what every site here begins with.
const KINDS: [RegExp, StatusKind][] = [
  [/^(open|new|published|pending|backlog)$/, "open"],
  [/^(planned|accepted|approved|next)$/, "planned"],
  [/^(started|in progress|in_progress|in-progress|in development|active)$/, "started"],
  [/^(complete|completed|done|shipped|released|live|implemented)$/, "completed"],
  [/^(declined|closed|rejected|won't do|wont fix|won't fix|not planned|cancelled|canceled)$/, "declined"],
];

/** The kind of a status whose name says it. */
function usualKindOf(name: string): StatusKind | undefined {
  return KINDS.find(([words]) => words.test(name.toLowerCase()))?.[1];
}

function kindOf({ name, category }: Status): StatusKind | undefined {
  return category ?? usualKindOf(name);
}

/**
 * The site's status for a status of the source: the one of the same name, else the one with the same meaning. An
 * archived status comes last. It counts, because otherwise a further run would create it again.
 */
function statusLike(status: Status, known: statuses.StatusRecord[]): statuses.StatusRecord | undefined {
  const usable = known.filter(({ archived }) => !archived);
  const hasSameName = ({ name, statusId }: statuses.StatusRecord) =>
    [name, statusId].some((each) => foldCase(each) === foldCase(status.name));
  const usual = usualKindOf(status.name);
  return usable.find(hasSameName) ?? usable.find(({ kind }) => kind === usual) ?? known.find(hasSameName);
}

/** What of a source the site does not have yet. */
export type Missing = {
  boards: Placed<Board>[];
  roadmaps: Placed<Roadmap>[];
  statuses: Placed<Status>[];
  tags: Placed<Tag>[];
};

export function missingIn(staging: Staging, found: catalogue.Catalogue): Missing {
  const isNew = (entry: Board | Roadmap, among: { name: string; url: string }[]) => !entryLike(entry, among);
  return {
    boards: distinct(staging.catalogue<Board>("board").filter((board) => isNew(board, found.boards))),
    roadmaps: distinct(staging.catalogue<Roadmap>("roadmap").filter((roadmap) => isNew(roadmap, found.roadmaps))),
    statuses: distinct(staging.catalogue<Status>("status").filter((status) => !statusLike(status, found.statuses))),
    tags: distinct(staging.catalogue<Tag>("tag").filter((tag) => !tagLike(tag, found.tags))),
  };
}

/** Without what becomes an earlier one: names that differ in their case are one, unless they have urls of their own. */
function distinct<T extends { name: string; url?: string }>(missing: T[]): T[] {
  const seen = new Set<string>();
  return missing.filter(({ name, url }) => {
    const marks = [`name ${foldCase(name)}`, ...(url === undefined ? [] : [`url ${url}`])];
    const isFirst = !seen.has(marks.at(-1) ?? "");
    for (const mark of marks) seen.add(mark);
    return isFirst;
  });
}

/**
 * The id of a board, a roadmap or a tag: they have the order of the source. Another export may have others before it,
 * so an earlier run has made it if it made one of the same name, whatever the place.
 */
function idOf(kind: "board" | "roadmap" | "tag", { ref, n }: Placed<{ ref: string }>, run: Import): string {
  return namedIdAt(run.startedAt + n, `${run.importId} ${kind} ${ref}`);
}

function tagLike({ name }: Tag, known: tags.TagRecord[]): tags.TagRecord | undefined {
  return known.find((each) => foldCase(each.name) === foldCase(name));
}

function entryLike<T extends { name: string; url: string }>({ name, url }: Board | Roadmap, among: T[]): T | undefined {
  return (
    (url === undefined ? undefined : among.find((each) => each.url === url)) ??
    among.find((each) => foldCase(each.name) === foldCase(name))
  );
}

/** Makes what the site does not have, and says where the posts go. */
export async function writeEntries(staging: Staging, run: Import, report: Report): Promise<Places> {
  const missing = missingIn(staging, await catalogue.read());
  for (const board of missing.boards) await addBoard(staging, run, board);
  for (const roadmap of missing.roadmaps) await addRoadmap(staging, run, roadmap);
  await addStatuses(staging, missing.statuses, run, report);
  for (const tag of missing.tags) await addTag(staging, run, tag, report);
  return placesIn(staging, await catalogue.read());
}

/** Where posts go, as boards, roadmaps, statuses and tags are now. The oldest board gets the posts without one. */
function placesIn(staging: Staging, found: catalogue.Catalogue): Places {
  const board = new Map(
    staging.catalogue<Board>("board").map((each) => [each.ref, entryLike(each, found.boards)?.boardId]),
  );
  const roadmap = new Map(
    staging.catalogue<Roadmap>("roadmap").map((each) => [each.ref, entryLike(each, found.roadmaps)?.roadmapId]),
  );
  const letter = new Map(
    staging.catalogue<Status>("status").map((each) => {
      const like = statusLike(each, found.statuses) ?? found.statuses.find(({ kind }) => kind === kindOf(each));
      return [each.ref, like?.letter];
    }),
  );
  const tag = new Map(staging.catalogue<Tag>("tag").map((each) => [each.ref, tagLike(each, found.tags)?.tagId]));
  return {
    boardOf: (ref = "") => board.get(ref) ?? found.boards[0]?.boardId,
    roadmapOf: (ref = "") => roadmap.get(ref),
    letterOf: (ref = "") => letter.get(ref),
    tagIdOf: (ref) => tag.get(ref),
  };
}

/** The urls to try for an entry: its own, then ever others. */
function* urlsFor({ name, url }: Board | Roadmap, fallback: string): Generator<string, never> {
  if (url !== undefined) yield url;
  for (let attempt = 0; ; attempt++) yield urlFor(name, fallback, attempt);
}

async function addBoard(staging: Staging, run: Import, board: Placed<Board>): Promise<void> {
  const boardId = idOf("board", board, run);
  if (staging.isDone(nameIn(boardId))) return;
  const { name, description, display, color = randomColor() } = board;
  const shown = { name, description, color, display, viewVoters: true };
  const { journal } = entryPart(run.importId, entryKey("board", boardId));
  for (const url of urlsFor(board, "board")) {
    const record = { boardId, ...shown, url, postCount: 0 };
    const outcome = await transact<string>({ ...boards.createParts(record), journal });
    if (outcome.done || !outcome.failed.claim) return;
  }
}

async function addRoadmap(staging: Staging, run: Import, roadmap: Placed<Roadmap>): Promise<void> {
  const roadmapId = idOf("roadmap", roadmap, run);
  if (staging.isDone(nameIn(roadmapId))) return;
  const { name, display, color = randomColor() } = roadmap;
  for (const url of urlsFor(roadmap, "roadmap")) {
    const { journal } = entryPart(run.importId, entryKey("roadmap", roadmapId));
    const added = await roadmaps.add({ roadmapId, name, display, color, url }, undefined, () => journal);
    if (added !== "taken") return;
  }
}

async function addTag(staging: Staging, run: Import, tag: Placed<Tag>, report: Report): Promise<void> {
  const tagId = idOf("tag", tag, run);
  if (staging.isDone(nameIn(tagId))) return;
  const { name, color = randomColor() } = tag;
  const { journal } = entryPart(run.importId, entryKey("tag", tagId));
  if ((await tags.add({ tagId, name, color }, () => journal)) !== "too many") return;
  const what = `finds no place among ${tags.MAX_TAGS} tags: its posts come in without it`;
  report({ place: { file: "", row: 0 }, field: "tag", value: name, what });
}

/** By what a status is noted as made: slugs are noted as they are. */
export function statusMark(statusId: string): Uint8Array {
  return Buffer.from(`status ${statusId}`);
}

async function addStatuses(staging: Staging, missing: Status[], run: Import, report: Report): Promise<void> {
  for (const status of missing) {
    if (staging.isDone(statusMark(statuses.idFor(status.name)))) continue;
    const kind = kindOf(status) ?? "open";
    if ((await addStatus(status, kind, run)) === "added") continue;
    const what = `finds no place among ${statuses.MAX_STATUSES} statuses: its posts are ${kind}`;
    report({ place: { file: "", row: 0 }, field: "status", value: status.name, what });
  }
}

async function addStatus({ name, color = randomColor() }: Status, kind: StatusKind, { importId }: Import) {
  return replanned(await statuses.read(), statuses.read, async (list) => {
    const known = new Set(list.statuses.map(({ statusId }) => statusId));
    const made = await statuses.replace(list, [...list.statuses, { name, color, kind }], (wanted) => {
      const isNew = ({ statusId }: statuses.StatusRecord) => !known.has(statusId);
      return entryPart(importId, entryKey("status", wanted.find(isNew)?.statusId ?? ""));
    });
    return typeof made === "string" ? made : "added";
  });
}
