import type { Catalogue } from "../../lib/catalogue/catalogue.ts";
import type { Import } from "../../lib/moving/journal.ts";
import { nameIn } from "../../lib/values/ids.ts";
import type { StatusLetter } from "../../lib/values/statuses.ts";
import type { Board, Roadmap, Status, Tag } from "./checked.ts";
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
import type { Placed, Staging } from "./staging.ts";

/** Where the posts of the source go, by its refs. */
export type Places = {
  boardOf: (ref: string | undefined) => string | undefined;
  roadmapOf: (ref: string | undefined) => string | undefined;
  letterOf: (ref: string | undefined) => StatusLetter | undefined;
  tagIdOf: (ref: string) => string | undefined;
};

/** Finds the board, roadmap or tag whose id has the same name (`nameIn`), whatever its moment. */
function finderIn({ boards, roadmaps, tags }: Catalogue): (id: string) => string | undefined {
  const ids = [
    ...boards.map(({ boardId }) => boardId),
    ...roadmaps.map(({ roadmapId }) => roadmapId),
    ...tags.map(({ tagId }) => tagId),
  ];
  const byName = new Map(ids.map((id) => [nameIn(id).toString("hex"), id]));
  return (id) => byName.get(nameIn(id).toString("hex"));
}

/**
 * Where posts go, as boards, roadmaps, statuses and tags are now. What an import has made gets them under any name, and
 * the oldest board those without one.
 */
export function placesIn(
  { staging, run, made }: { staging: Staging; run: Import; made: MadeStatuses },
  found: Catalogue,
): Places {
  const find = finderIn(found);
  const madeAs = (kind: IdKind, entry: Placed<{ ref: string }>) => find(idOf(kind, entry, run));
  const statusOf = (status: Status) =>
    found.statuses.find(({ statusId, archived }) => !archived && statusId === made.get(statusMark(status, run))) ??
    statusLike(status, found.statuses) ??
    found.statuses.find(({ kind }) => kind === kindOf(status));
  const placesOf = <E extends { ref: string }, P>(entries: E[], placeOf: (entry: E) => P) =>
    new Map(entries.map((entry) => [entry.ref, placeOf(entry)]));
  const board = placesOf(
    staging.catalogue<Board>("board"),
    (each) => madeAs("board", each) ?? entryLike(each, found.boards)?.boardId,
  );
  const roadmap = placesOf(
    staging.catalogue<Roadmap>("roadmap"),
    (each) => madeAs("roadmap", each) ?? entryLike(each, found.roadmaps)?.roadmapId,
  );
  const letter = placesOf(staging.catalogue<Status>("status"), (each) => statusOf(each)?.letter);
  const tag = placesOf(
    staging.catalogue<Tag>("tag"),
    (each) => madeAs("tag", each) ?? tagLike(each, found.tags)?.tagId,
  );
  return {
    boardOf: (ref = "") => board.get(ref) ?? found.boards[0]?.boardId,
    roadmapOf: (ref = "") => roadmap.get(ref),
    letterOf: (ref = "") => letter.get(ref),
    tagIdOf: (ref) => tag.get(ref),
  };
}
