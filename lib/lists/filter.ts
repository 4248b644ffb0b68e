import { boardList, type Placement, type PostList, roadmapList, statusList, tagList } from "../table/post-lists.ts";
import { letterOf, type StatusLetter } from "../values/statuses.ts";
import { numberOf } from "../values/words.ts";

/**
 * Which posts a caller gets: those that match all facets. Within a facet any of the values counts. An absent facet lets
 * all posts through, an empty one none. Rows and lists know a status by its letter.
 */
export type Filter<Id = string> = {
  boardIds?: Id[] | undefined;
  roadmapId?: Id | undefined;
  statusLetters?: ReadonlySet<StatusLetter> | undefined;
  tagIds?: Id[] | undefined;
};

const NO_POSTS: Filter = { boardIds: [] };

/** The filter without boards, roadmaps and tags that the caller does not see; `visible` holds the ids of the others. */
export function visibleFilter(filter: Filter, visible: ReadonlySet<string>): Filter {
  const { boardIds, roadmapId, tagIds } = filter;
  if (roadmapId !== undefined && !visible.has(roadmapId)) return NO_POSTS;
  const seen = (ids: string[] | undefined) => ids?.filter((id) => visible.has(id));
  return { ...filter, boardIds: seen(boardIds), tagIds: seen(tagIds) };
}

/** Whether a post has one of the values that a filter asks for, in each of its facets. */
export function matches<Id>(post: Placement<Id>, { boardIds, roadmapId, statusLetters, tagIds }: Filter<Id>): boolean {
  return (
    (!boardIds || (post.boardId !== undefined && boardIds.includes(post.boardId))) &&
    (roadmapId === undefined || post.roadmapId === roadmapId) &&
    (!statusLetters || statusLetters.has(letterOf(post.status))) &&
    (!tagIds || tagIds.some((id) => post.tagIds?.includes(id)))
  );
}

/** The same filter for rows, in which numbers stand for ids. */
export function filterOfRows({ boardIds, roadmapId, statusLetters, tagIds }: Filter): Filter<number> {
  return {
    boardIds: boardIds?.map(numberOf),
    roadmapId: roadmapId === undefined ? undefined : numberOf(roadmapId),
    statusLetters,
    tagIds: tagIds?.map(numberOf),
  };
}

/** One entry for each facet that a filter names: lists that together hold the posts with one of its values. */
export function facetsOf({ boardIds, roadmapId, statusLetters, tagIds }: Filter): PostList[][] {
  return [
    ...(boardIds ? [boardIds.map(boardList)] : []),
    ...(roadmapId !== undefined ? [[roadmapList(roadmapId)]] : []),
    ...(statusLetters ? [[...statusLetters].map(statusList)] : []),
    ...(tagIds ? [tagIds.map(tagList)] : []),
  ];
}
