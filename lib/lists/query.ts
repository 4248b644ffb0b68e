import { allPosts, isRanked, type PostList } from "../table/post-lists.ts";
import { type Filter, facetsOf } from "./filter.ts";
import { type OrderName, rankOrder } from "./orders.ts";

// What a query for a page settles before anything is read.

export type ListQuery = Pick<Filter, "boardIds" | "roadmapId" | "tagIds"> & {
  /** Of these, a filter has the letters, which only the catalogue knows. */
  statusIds?: string[] | undefined;
  order: OrderName;
  /** The number of posts to skip; 0 with `after`. */
  offset: number;
  /** The number of posts on a full page, at least 1. */
  limit: number;
  /** The key of the row that the page comes after: a post's id, in an order by rank with its rank before it. */
  after?: string | undefined;
  /** With `after`: the number of posts up to it, with which a total that a walk counts begins. */
  passed?: number | undefined;
  wantsTotal?: boolean;
};

/** The number of facets that a query names. */
export function facetCount({ boardIds, roadmapId, statusIds, tagIds }: ListQuery): number {
  return [boardIds, roadmapId, statusIds, tagIds].filter((facet) => facet !== undefined).length;
}

/** Whether no post is in two lists of the query, so that their counts add up to the posts that match. */
export function countsAddUp(query: ListQuery): boolean {
  const { tagIds = [] } = query;
  return facetCount(query) < 2 && tagIds.length < 2;
}

/** How a page is found: lists.ts explains the three ways. */
export function wayOf(query: ListQuery): "all by date" | "facet by date" | "walk" {
  if (rankOrder(query.order) || !countsAddUp(query)) return "walk";
  return facetCount(query) === 1 ? "facet by date" : "all by date";
}

/** Whether the page begins on a day that is found by the counts. */
export function startsAtADay(query: ListQuery): boolean {
  return query.offset > 0 && wayOf(query) !== "walk";
}

/**
 * The facets by whose lists a walk can go, each as those lists; all posts if there is none. Statuses and tags have no
 * lists by rank.
 */
export function leadsOf(filter: Filter, order: OrderName): PostList[][] {
  const facets = facetsOf(filter).filter((lists) => !rankOrder(order) || lists.every(isRanked));
  return facets.length > 0 ? facets : [[allPosts]];
}

/** The lists that lead a walk if no others can: they are known before the catalogue and the counts are read. */
export function leadKnownEarly({ boardIds, roadmapId, statusIds, tagIds, order }: ListQuery): PostList[] | undefined {
  const [lists, ...others] = leadsOf({ boardIds, roadmapId, tagIds }, order);
  // The lists of a status are not known before the catalogue is read.
  const mayStatusLead = statusIds !== undefined && !rankOrder(order);
  return others.length === 0 && !mayStatusLead ? lists : undefined;
}
