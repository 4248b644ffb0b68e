import { allPosts, isRanked, type PostList } from "../table/post-lists.ts";
import { type Filter, facetsOf } from "./filter.ts";
import { type OrderName, rankOrder } from "./orders.ts";

// What a query for a page settles before anything is read.

export type ListQuery = Pick<Filter, "boardIds" | "roadmapId"> & {
  /** The ids of statuses. */
  status?: string[] | undefined;
  order: OrderName;
  /** The number of posts before the page. Behind `after` none is skipped: a total that a walk counts begins with it. */
  offset: number;
  /** The number of posts on a full page, at least 1. */
  limit: number;
  /** The key of the row that the page comes after: a post's id, in an order by rank with its rank before it. */
  after?: string | undefined;
  counted?: boolean;
};

/** The number of facets that a query names. */
export function facetCount({ boardIds, roadmapId, status }: ListQuery): number {
  return [boardIds, roadmapId, status].filter((facet) => facet !== undefined).length;
}

/** How a page is found: lists.ts explains the three ways. */
export function wayOf(query: ListQuery): "all by date" | "facet by date" | "walk" {
  const facets = facetCount(query);
  if (rankOrder(query.order) || facets > 1) return "walk";
  return facets === 1 ? "facet by date" : "all by date";
}

/** The number of posts to skip: none behind a cursor. */
export function offsetIn({ offset, after }: ListQuery): number {
  return after === undefined ? offset : 0;
}

/** Whether the page begins on a day that is found by the counts. */
export function startsAtADay(query: ListQuery): boolean {
  return offsetIn(query) > 0 && wayOf(query) !== "walk";
}

/** The facets that can lead: each with the lists that have all posts of the filter. By rank, a status cannot. */
export function leadsOf(filter: Filter, order: OrderName): PostList[][] {
  const facets = facetsOf(filter).filter((lists) => !rankOrder(order) || lists.every(isRanked));
  return facets.length > 0 ? facets : [[allPosts]];
}

/** The lists that lead, if that is known before the catalogue and the counts are read. */
export function onlyLead({ boardIds, roadmapId, status, order }: ListQuery): PostList[] | undefined {
  const [lists, ...others] = leadsOf({ boardIds, roadmapId }, order);
  // The lists of a status are not known before the catalogue is read.
  const mayStatusLead = status !== undefined && !rankOrder(order);
  return others.length === 0 && !mayStatusLead ? lists : undefined;
}
