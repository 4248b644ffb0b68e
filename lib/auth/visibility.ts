import type { Catalogue, ShownBoard } from "../catalogue/catalogue.ts";
import type { RoadmapRecord } from "../catalogue/roadmaps.ts";
import { may, type Rights } from "./permissions.ts";

/** The boards that a caller may see: hidden ones only with `board:read`. */
export function visibleBoards<Board extends ShownBoard>(caller: Rights | undefined, boards: Board[]): Board[] {
  return may(caller, "board:read") ? boards : boards.filter(({ display }) => display);
}

export function visibleRoadmaps(caller: Rights | undefined, roadmaps: RoadmapRecord[]): RoadmapRecord[] {
  return may(caller, "roadmap:read") ? roadmaps : roadmaps.filter(({ display }) => display);
}

export function visibleCatalogue(caller: Rights | undefined, { boards, roadmaps, ...rest }: Catalogue): Catalogue {
  return { ...rest, boards: visibleBoards(caller, boards), roadmaps: visibleRoadmaps(caller, roadmaps) };
}

/** The ids of all boards, roadmaps and tags of a catalogue. */
export function idsIn({ boards, roadmaps, tags }: Pick<Catalogue, "boards" | "roadmaps" | "tags">): Set<string> {
  return new Set([
    ...boards.map(({ boardId }) => boardId),
    ...roadmaps.map(({ roadmapId }) => roadmapId),
    ...tags.map(({ tagId }) => tagId),
  ]);
}
