import type { Catalogue } from "./data/catalogue.ts";
import { may, type Role } from "./permissions.ts";

/** The boards and roadmaps that a caller may see: all, or without `board:read` / `roadmap:read` those that are displayed. */
export const visibleTo = (role: Role | undefined, { boards, roadmaps }: Catalogue): Catalogue => ({
  boards: may(role, "board:read") ? boards : boards.filter(({ display }) => display),
  roadmaps: may(role, "roadmap:read") ? roadmaps : roadmaps.filter(({ display }) => display),
});

/** The ids of the boards and roadmaps that a caller may not see. */
export const hiddenFrom = (role: Role | undefined, { boards, roadmaps }: Catalogue): Set<string> => {
  const hidden = new Set<string>();
  if (!may(role, "board:read")) for (const { boardId, display } of boards) if (!display) hidden.add(boardId);
  if (!may(role, "roadmap:read")) for (const { roadmapId, display } of roadmaps) if (!display) hidden.add(roadmapId);
  return hidden;
};
