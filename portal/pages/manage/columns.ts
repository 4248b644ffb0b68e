import { change, find } from "../../data.ts";
import { changePost, type PostList, postLists, type Summary } from "../../posts.ts";

/** The order of a column: the most wanted first, of equals the newest. */
function comesBefore(one: Summary, other: Summary): boolean {
  const more = one.voters.votesCount - other.voters.votesCount;
  return more === 0 ? one.postId > other.postId : more > 0;
}

/** How many cards of a page stand above a card. */
function countAbove({ posts }: PostList, card: Summary): number {
  const index = posts.findIndex((each) => comesBefore(card, each));
  return index < 0 ? posts.length : index;
}

function withTotal(list: PostList, more: number): PostList {
  return list.total === undefined ? list : { ...list, total: list.total + more };
}

function without(list: PostList, postId: string): PostList {
  return withTotal({ ...list, posts: list.posts.filter((each) => each.postId !== postId) }, -1);
}

/** A page of a column with a card, if that belongs there; `begins`: no page that is shown above it has the place. */
function withCard(list: PostList, card: Summary, begins: boolean): PostList {
  const above = countAbove(list, card);
  const isBelow = above === list.posts.length && list.after !== undefined;
  if (isBelow || (above === 0 && !begins)) return withTotal(list, 1);
  return withTotal({ ...list, posts: [...list.posts.slice(0, above), card, ...list.posts.slice(above)] }, 1);
}

/** Takes a card from its column to another one, or away. */
function take(card: Summary, from: string, to: string | undefined): void {
  const isBelowPageBefore = (start: string) =>
    find(postLists, (list, { roadmapId }) =>
      roadmapId === to && list.after === start ? countAbove(list, card) < list.posts.length : undefined,
    ) === false;
  change(postLists, (list, { roadmapId }, start) => {
    if (roadmapId === from) return without(list, card.postId);
    if (roadmapId === undefined || roadmapId !== to) return list;
    // One that was off the roadmap may have been read there again.
    if (list.posts.some((each) => each.postId === card.postId)) return list;
    return withCard(list, card, start === undefined || isBelowPageBefore(start));
  });
}

type Moved = Pick<Summary, "postId" | "updatedAt" | "roadmap">;

/**
 * Shows a post in the column of the roadmap that it has now, or in none: `before` is the post as it was shown. The
 * service lists it there some seconds later. If its place is further down than the column shows, it comes with "Show
 * more".
 */
export function moveCard(now: Moved, before: Summary): void {
  const { postId, roadmap } = now;
  const from = before.roadmap?.id ?? "";
  // A list that was read meanwhile does not have it any more.
  const shown = find(postLists, ({ posts }, { roadmapId }) =>
    roadmapId === from ? posts.find((each) => each.postId === postId) : undefined,
  );
  const card = before.roadmap ? shown : before;
  if (card && roadmap?.id !== from) take(card, from, roadmap?.id);
  changePost(postId, ({ voters }) => ({ ...now, voters }));
}
