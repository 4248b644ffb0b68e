import * as z from "zod";
import type { RoadmapRecord } from "./data/catalogue.ts";
import { readId } from "./inputs.ts";
import type { PageInfo } from "./schemas.ts";

/** A place in the order of roadmaps: by index, then by id. It stays good when the roadmap that it was made of is gone. */
type Place = { index: number; id: string };

const cursorOf = ({ index, roadmapId }: RoadmapRecord): string =>
  Buffer.from(JSON.stringify([index, roadmapId])).toString("base64url");

const CURSOR = /^[A-Za-z0-9_-]{1,200}$/;

const placeOf = (cursor: string): Place | undefined => {
  try {
    const [index, id, ...rest] = JSON.parse(Buffer.from(cursor, "base64url").toString()) as unknown[];
    const known = readId(id);
    return typeof index === "number" && known && rest.length === 0 ? { index, id: known } : undefined;
  } catch {
    return undefined;
  }
};

/** The cursor of the query parameter `after`: an `end_cursor` of an earlier answer. */
export const After = z.string().transform((cursor, context): Place => {
  const place = CURSOR.test(cursor) ? placeOf(cursor) : undefined;
  if (place) return place;
  context.addIssue({ code: "custom", message: "Must be an end_cursor of an earlier answer" });
  return z.NEVER;
});

/** A page of roadmaps with what tells where it stands (spec part 2, Page info; spec 4.7). */
export type RoadmapPage = { items: RoadmapRecord[]; page_info: PageInfo; total_pages: number; total_count: number };

/** The `first` roadmaps after a place; the roadmaps come in their order. */
export const pageAfter = (roadmaps: RoadmapRecord[], after: Place | undefined, first: number): RoadmapPage => {
  const isAfter = ({ index, roadmapId }: RoadmapRecord): boolean =>
    after === undefined || index > after.index || (index === after.index && roadmapId > after.id);
  const rest = roadmaps.filter(isAfter);
  const items = rest.slice(0, first);
  const before = roadmaps.length - rest.length;
  const [head] = items;
  const tail = items.at(-1);
  return {
    items,
    page_info: {
      count: items.length,
      current_page: Math.floor(before / first) + 1,
      has_next_page: rest.length > items.length,
      end_cursor: tail ? cursorOf(tail) : null,
      start_cursor: head ? cursorOf(head) : null,
    },
    total_pages: Math.ceil(roadmaps.length / first),
    total_count: roadmaps.length,
  };
};
