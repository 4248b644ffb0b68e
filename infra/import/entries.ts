import * as boards from "../../lib/catalogue/boards.ts";
import * as catalogue from "../../lib/catalogue/catalogue.ts";
import * as roadmaps from "../../lib/catalogue/roadmaps.ts";
import * as statuses from "../../lib/catalogue/statuses.ts";
import * as tags from "../../lib/catalogue/tags.ts";
import { entryKey, entryPart, type Import } from "../../lib/moving/journal.ts";
import type { Work } from "../../lib/moving/work.ts";
import { replanned } from "../../lib/table/retries.ts";
import { transact } from "../../lib/table/transactions.ts";
import { nameIn } from "../../lib/values/ids.ts";
import type { StatusKind } from "../../lib/values/statuses.ts";
import { foldCase } from "../../lib/values/text.ts";
import { randomColor, urlFor } from "../../lib/values/urls.ts";
import type { Board, Roadmap, Status, Tag } from "./checked.ts";
import type { Report } from "./formats/form.ts";
import {
  entryLike,
  type IdKind,
  idOf,
  kindOf,
  type MadeStatuses,
  statusLike,
  statusMark,
  tagLike,
} from "./likeness.ts";
import { type Places, placesIn } from "./places.ts";
import type { Placed, Staging } from "./staging.ts";

// Boards, roadmaps, statuses and tags of the source become those that the site has by that url or name; others are
// made.

/** What of a source the site does not have yet, and gets. */
export type Missing = {
  boards: Placed<Board>[];
  roadmaps: Placed<Roadmap>[];
  statuses: Placed<Status>[];
  tags: Placed<Tag>[];
  /** What finds no place: the site has as many as it can have. */
  beyond: Beyond;
};

type Beyond = { statuses: Placed<Status>[]; tags: Placed<Tag>[] };

/** A source, and what earlier runs have made of it. */
export type Source = { staging: Staging; run: Import; made: MadeStatuses };

/** What an earlier run has made is not missing, even if it was deleted since. */
export function missingIn({ staging, run, made }: Source, found: catalogue.Catalogue): Missing {
  const isToMake = (kind: IdKind) => (entry: Placed<{ ref: string }>) =>
    !staging.isDone(nameIn(idOf(kind, entry, run)));
  const newBoards = staging.catalogue<Board>("board").filter((board) => !entryLike(board, found.boards));
  const newRoadmaps = staging.catalogue<Roadmap>("roadmap").filter((roadmap) => !entryLike(roadmap, found.roadmaps));
  const newStatuses = staging.catalogue<Status>("status").filter((status) => !statusLike(status, found.statuses));
  const newTags = staging.catalogue<Tag>("tag").filter((tag) => !tagLike(tag, found.tags));
  const statusesToMake = distinct(newStatuses).filter((status) => !made.has(statusMark(status, run)));
  const tagsToMake = distinct(newTags).filter(isToMake("tag"));
  const roomForStatuses = Math.max(0, statuses.MAX_STATUSES - found.statuses.length);
  const roomForTags = Math.max(0, tags.MAX_TAGS - found.tags.length);
  return {
    boards: distinct(newBoards).filter(isToMake("board")),
    roadmaps: distinct(newRoadmaps).filter(isToMake("roadmap")),
    statuses: statusesToMake.slice(0, roomForStatuses),
    tags: tagsToMake.slice(0, roomForTags),
    beyond: { statuses: statusesToMake.slice(roomForStatuses), tags: tagsToMake.slice(roomForTags) },
  };
}

/** Names what finds no place, and what its posts have instead: with these statuses on the site. */
export function tellBeyond(beyond: Beyond, list: Pick<statuses.StatusRecord, "kind">[], report: Report): void {
  for (const { name, place, ...status } of beyond.statuses) {
    const wanted = kindOf({ name, ...status });
    const kind = list.some((each) => each.kind === wanted) ? wanted : "open";
    const what = `finds no place among ${statuses.MAX_STATUSES} statuses: its posts are ${kind}`;
    report({ place, field: "status", value: name, what });
  }
  for (const { name, place } of beyond.tags) {
    const what = `finds no place among ${tags.MAX_TAGS} tags: its posts come in without it`;
    report({ place, field: "tag", value: name, what });
  }
}

/** The kinds of the statuses that the site has once those that are missing are made. */
export function kindsWith({ statuses: made }: Missing, { statuses: known }: catalogue.Catalogue) {
  return [...known, ...made.map((status) => ({ kind: madeKindOf(status) }))];
}

/** The kind of a status that an import makes. */
function madeKindOf(status: Status): StatusKind {
  return kindOf(status) ?? "open";
}

/** Without what becomes an earlier one: names that differ in their case are one, unless they have urls of their own. */
function distinct<T extends { name: string; url?: string }>(missing: T[]): T[] {
  const seen = new Set<string>();
  return missing.filter(({ name, url }) => {
    const ofName = `name ${foldCase(name)}`;
    const mark = url === undefined ? ofName : `url ${url}`;
    const isFirst = !seen.has(mark);
    seen.add(ofName).add(mark);
    return isFirst;
  });
}

type Writing = Source & { report: Report; work: Work };

/** Makes what the site does not have, and says where the posts go. */
export async function writeEntries(writing: Writing): Promise<Places> {
  const { run, report, work } = writing;
  const missing = missingIn(writing, await work(catalogue.read));
  for (const board of missing.boards) await addBoard(run, board);
  for (const roadmap of missing.roadmaps) await addRoadmap(run, roadmap);
  const { beyond } = missing;
  // People may have filled the site meanwhile.
  for (const status of missing.statuses) if (!(await addStatus(status, run))) beyond.statuses.push(status);
  for (const tag of missing.tags) if (!(await addTag(run, tag))) beyond.tags.push(tag);
  const found = await work(catalogue.read);
  tellBeyond(beyond, found.statuses, report);
  return placesIn(writing, found);
}

/** The urls to try for an entry: its own, then ever others. */
function* urlsFor({ name, url }: Board | Roadmap, fallback: string): Generator<string, never> {
  if (url !== undefined) yield url;
  for (let attempt = 0; ; attempt++) yield urlFor(name, fallback, attempt);
}

async function addBoard(run: Import, board: Placed<Board>): Promise<void> {
  const boardId = idOf("board", board, run);
  const { name, description, display, color = randomColor() } = board;
  const shown = { name, description, color, display, viewVoters: true };
  const { journal } = entryPart(run.importId, entryKey("board", boardId));
  for (const url of urlsFor(board, "board")) {
    const record = { boardId, ...shown, url, postCount: 0 };
    const outcome = await transact<string>({ ...boards.createParts(record), journal });
    if (outcome.done || !outcome.failed.claim) return;
  }
}

async function addRoadmap(run: Import, roadmap: Placed<Roadmap>): Promise<void> {
  const roadmapId = idOf("roadmap", roadmap, run);
  const { name, display, color = randomColor() } = roadmap;
  for (const url of urlsFor(roadmap, "roadmap")) {
    const { journal } = entryPart(run.importId, entryKey("roadmap", roadmapId));
    const added = await roadmaps.add({ roadmapId, name, display, color, url }, undefined, () => journal);
    if (added !== "taken") return;
  }
}

/** Adds a tag. Returns whether it found a place. */
async function addTag(run: Import, tag: Placed<Tag>): Promise<boolean> {
  const tagId = idOf("tag", tag, run);
  const { name, color = randomColor() } = tag;
  const { journal } = entryPart(run.importId, entryKey("tag", tagId));
  return (await tags.add({ tagId, name, color }, () => journal)) !== "too many";
}

/** Adds a status. Returns whether it found a place. */
async function addStatus(status: Status, run: Import): Promise<boolean> {
  const { name, color = randomColor() } = status;
  const draft = { name, color, kind: madeKindOf(status) };
  return replanned(await statuses.read(), statuses.read, async (list) => {
    const known = new Set(list.statuses.map(({ statusId }) => statusId));
    const written = await statuses.replace(list, [...list.statuses, draft], (wanted) => {
      const isNew = ({ statusId }: statuses.StatusRecord) => !known.has(statusId);
      const statusId = wanted.find(isNew)?.statusId ?? "";
      return entryPart(run.importId, entryKey("status", statusId), { ids: [statusMark(status, run)] });
    });
    return written === "changed meanwhile" ? written : typeof written !== "string";
  });
}
