import type { Catalogue } from "../data/catalogue.ts";
import type { Role } from "../data/users.ts";
import { may } from "./permissions.ts";

/** The boards and roadmaps that a caller may see: all, or without `board:read` / `roadmap:read` those that are displayed. */
export const visibleTo = (role: Role | undefined, { boards, roadmaps }: Catalogue): Catalogue => ({
  boards: may(role, "board:read") ? boards : boards.filter(({ display }) => display),
  roadmaps: may(role, "roadmap:read") ? roadmaps : roadmaps.filter(({ display }) => display),
});

/** The ids of the boards and roadmaps that a caller may see. */
export const visibleIds = (role: Role | undefined, catalogue: Catalogue): Set<string> => {
  const { boards, roadmaps } = visibleTo(role, catalogue);
  return new Set([...boards.map(({ boardId }) => boardId), ...roadmaps.map(({ roadmapId }) => roadmapId)]);
};
