import type { Placement } from "../table/post-lists.ts";
import { letterOf, type StatusLetter } from "../values/statuses.ts";

/** Which posts a caller gets; an absent field lets all posts through. */
export type Filter<Id = string> = {
  boardIds?: Id[] | undefined;
  roadmapId?: Id | undefined;
  statuses?: ReadonlySet<StatusLetter> | undefined;
};

/** The filter without boards and roadmaps that the caller may not see; `visible` holds the ids of the others. */
export function visibleFilter(filter: Filter, visible: ReadonlySet<string>): Filter {
  const { boardIds, roadmapId } = filter;
  if (roadmapId !== undefined && !visible.has(roadmapId)) return { boardIds: [] };
  return { ...filter, boardIds: boardIds?.filter((id) => visible.has(id)) };
}

export function matches<Id>(post: Placement<Id>, { boardIds, roadmapId, statuses }: Filter<Id>): boolean {
  return (
    (!boardIds || (post.boardId !== undefined && boardIds.includes(post.boardId))) &&
    (roadmapId === undefined || post.roadmapId === roadmapId) &&
    (!statuses || statuses.has(letterOf(post.status)))
  );
}
