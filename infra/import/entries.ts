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
import { entryLike, idOf, kindOf, type MadeStatuses, statusLike, statusMark, tagLike } from "./likeness.ts";
import { type Places, placesIn } from "./places.ts";
import type { Placed, Staging } from "./staging.ts";

// Boards, roadmaps, statuses and tags of the source become those that the site has by that url or name; others are
// made.

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
    const ofName = `name ${foldCase(name)}`;
    const mark = url === undefined ? ofName : `url ${url}`;
    const isFirst = !seen.has(mark);
    seen.add(ofName).add(mark);
    return isFirst;
  });
}

/** What is written of a source, and what of its statuses earlier runs have made. */
type Writing = { staging: Staging; run: Import; made: MadeStatuses; report: Report; work: Work };

/** Makes what the site does not have, and says where the posts go. */
export async function writeEntries(writing: Writing): Promise<Places> {
  const { staging, run, report, work } = writing;
  const missing = missingIn(staging, await work(catalogue.read));
  for (const board of missing.boards) await addBoard(staging, run, board);
  for (const roadmap of missing.roadmaps) await addRoadmap(staging, run, roadmap);
  await addStatuses(missing.statuses, writing);
  for (const tag of missing.tags) await addTag(staging, run, tag, report);
  return placesIn(writing, await work(catalogue.read));
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

async function addStatuses(missing: Status[], { run, made, report }: Writing): Promise<void> {
  for (const status of missing) {
    if (made.has(statusMark(status, run))) continue;
    const kind = kindOf(status) ?? "open";
    if ((await addStatus(status, kind, run)) === "added") continue;
    const what = `finds no place among ${statuses.MAX_STATUSES} statuses: its posts are ${kind}`;
    report({ place: { file: "", row: 0 }, field: "status", value: status.name, what });
  }
}

async function addStatus(status: Status, kind: StatusKind, run: Import) {
  const { name, color = randomColor() } = status;
  return replanned(await statuses.read(), statuses.read, async (list) => {
    const known = new Set(list.statuses.map(({ statusId }) => statusId));
    const written = await statuses.replace(list, [...list.statuses, { name, color, kind }], (wanted) => {
      const isNew = ({ statusId }: statuses.StatusRecord) => !known.has(statusId);
      const statusId = wanted.find(isNew)?.statusId ?? "";
      return entryPart(run.importId, entryKey("status", statusId), { ids: [statusMark(status, run)] });
    });
    return typeof written === "string" ? written : "added";
  });
}
