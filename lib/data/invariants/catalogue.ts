import { key } from "../keys.ts";
import { type Findings, finding, idIn, type StoredTable } from "./stored.ts";

/** Every board and roadmap holds the claim of its url, and every claim has its entry; the order names each roadmap and no other. */
export const catalogue = function* ({ all, at, has }: StoredTable): Findings {
  for (const { key: board, value } of all("board")) {
    if (at("boardUrl", key.boardUrl(value.url))?.boardId !== value.boardId) yield finding(board, "lacks its url claim");
  }
  for (const { key: claim, value } of all("boardUrl")) {
    if (at("board", key.board(value.boardId))?.url !== idIn(claim.pk)) yield finding(claim, "is no board's url");
  }
  const indexes = at("roadmapOrder", key.roadmapOrder())?.indexes ?? {};
  for (const { key: roadmap, value } of all("roadmap")) {
    const claim = at("roadmapUrl", key.roadmapUrl(value.url));
    if (claim?.roadmapId !== value.roadmapId) yield finding(roadmap, "lacks its url claim");
    if (!Object.hasOwn(indexes, value.roadmapId)) yield finding(roadmap, "has no place in the order");
  }
  for (const { key: claim, value } of all("roadmapUrl")) {
    if (at("roadmap", key.roadmap(value.roadmapId))?.url !== idIn(claim.pk))
      yield finding(claim, "is no roadmap's url");
  }
  for (const id of Object.keys(indexes)) {
    if (!has("roadmap", key.roadmap(id))) yield finding(key.roadmapOrder(), `orders ${id}, which does not exist`);
  }
};
