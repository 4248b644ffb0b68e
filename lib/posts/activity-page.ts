import { type Bounds, range, type Side } from "../table/ranges.ts";
import { getFirst, getRange } from "../table/reads.ts";
import {
  CommentItem,
  type CommentRecord,
  type CommentRow,
  CommentRowItem,
  type Kind,
  withoutNoteParents,
} from "./comments.ts";
import type { StatusChange } from "./status-changes.ts";
import * as statusChanges from "./status-changes.ts";

// A page of what happened on a post, newest or oldest first: its comments, notes and changes of status. Rows are short
// and say how long the comments are, so they decide where a page begins and ends. Then the comments of the page are
// read.
//
// `beginPage` reads what everybody may see. `activityPage` reads notes, once it is known that the caller may see them.

/** A page by its number, counted from the first entry or, with `past`, from the one that follows this id. */
export type Place = { number: number; size: number; past?: string | undefined; isOldestFirst?: boolean };

/** An entry has a comment, a note or a change of the status; a comment that was just deleted leaves an empty one. */
export type Entry = { id: string; comment: CommentRecord | undefined; change: StatusChange | undefined };

export type ActivityPage = {
  entries: Entry[];
  /** The number of entries between the first, or `past`, and the page. */
  start: number;
  hasNext: boolean;
};

export type Begun = { place: Place; rows: CommentRow[]; changes: StatusChange[] };

/** Reads the rows of public comments and the changes of the status, up to the end of the page. */
export async function beginPage(
  postId: string,
  place: Place,
  { hasComments, hasChanges }: { hasComments: boolean; hasChanges: boolean },
): Promise<Begun> {
  const [rows, changes] = await Promise.all([
    hasComments ? firstRows("comment", postId, place) : [],
    hasChanges ? statusChanges.list(postId, walkTo(place)) : [],
  ]);
  return { place, rows, changes };
}

/**
 * The page of `kinds` and of the changes that `beginPage` read. `hidesParents`: the reader is not told which note a
 * comment replies to.
 */
export async function activityPage(
  postId: string,
  { place, rows, changes }: Begun,
  { kinds, hidesParents }: { kinds: Kind[]; hidesParents: boolean },
): Promise<ActivityPage> {
  const notes = kinds.includes("note") ? await firstRows("note", postId, place) : [];
  const all = inOrder([...rows, ...notes, ...changes.map(rowOfChange)], place);
  const { start, end } = pageAt(all, place.number, place.size);
  const shown = {
    ids: all.slice(start, end).map(({ commentId }) => commentId),
    changes: new Map(changes.map((change) => [change.changeId, change])),
  };
  const read = await commentsWithin(boundsOf(all, start, end, place), kinds, postId, idsOfComments(shown));
  const found = entriesOf(shown, hidesParents ? await withoutNoteParents(read) : read, place);
  return { entries: found.slice(0, place.size), start, hasNext: all.length > end || found.length > place.size };
}

/** What the rows of a page name. */
type Shown = { ids: string[]; changes: Map<string, StatusChange> };

function idsOfComments({ ids, changes }: Shown): string[] {
  return ids.filter((id) => !changes.has(id));
}

/** The ids that follow one in the order of a page. */
function sidePast(id: string | undefined, { isOldestFirst }: Place): Side {
  return isOldestFirst ? { after: id } : { before: id };
}

/**
 * Between which ids the comments of a page lie. The last page of the list has no bound behind it: a comment may change
 * its kind between the two reads of rows, and is in neither of them, but still comes. So there may be more comments
 * than rows.
 */
function boundsOf(all: CommentRow[], start: number, end: number, place: Place): Bounds {
  const last = end < all.length ? all[end - 1]?.commentId : undefined;
  const begin = sidePast(all[start - 1]?.commentId ?? place.past, place);
  return place.isOldestFirst ? { ...begin, to: last } : { ...begin, from: last };
}

/** The entries in their order. A comment that changed its kind between the reads may have no row. */
function entriesOf({ ids, changes }: Shown, read: CommentRecord[], { isOldestFirst }: Place): Entry[] {
  const comments = new Map(read.map((comment) => [comment.commentId, comment]));
  const found = [...new Set([...ids, ...comments.keys()])].sort();
  if (!isOldestFirst) found.reverse();
  return found.map((id) => ({ id, comment: comments.get(id), change: changes.get(id) }));
}

/** How many rows of a kind can lie before the end of a page, with one more that shows whether there is a next page. */
function walkTo(place: Place) {
  const count = place.number * place.size + 1;
  return { count, side: sidePast(place.past, place), descending: !place.isOldestFirst };
}

async function firstRows(kind: Kind, postId: string, place: Place): Promise<CommentRow[]> {
  const { count, side, descending } = walkTo(place);
  return (await getFirst(range.commentRows(kind, postId, side), CommentRowItem, count, { descending })).items;
}

function rowOfChange({ changeId }: StatusChange): CommentRow {
  return { commentId: changeId, kb: 0 };
}

/** Rows by their ids, each once: a comment that changes its kind during the reads can have two. */
function inOrder(rows: CommentRow[], { isOldestFirst }: Place): CommentRow[] {
  const byId = new Map(rows.map((row) => [row.commentId, row]));
  const sorted = [...byId.values()].sort((a, b) => (a.commentId < b.commentId ? -1 : 1));
  return isOldestFirst ? sorted : sorted.reverse();
}

/** Where a page begins and ends among rows. */
function pageAt(rows: CommentRow[], number: number, size: number): { start: number; end: number } {
  let start = 0;
  for (let page = 1; page < number && start < rows.length; page++) start = endOfPage(rows, start, size);
  return { start, end: endOfPage(rows, start, size) };
}

// A page with this much text, its authors and its rows cost 40 R at most.
const MOST_KB = 64;

/** A page has `size` comments, or fewer long ones, so that it can be read at a bounded cost; one at least. */
function endOfPage(rows: CommentRow[], start: number, size: number): number {
  const last = Math.min(start + size, rows.length);
  let kb = 0;
  for (let end = start; end < last; end++) {
    kb += rows[end]?.kb ?? 0;
    if (kb > MOST_KB && end > start) return end;
  }
  return last;
}

/**
 * Reads the comments and notes within bounds, some of them twice, the later reading last. One may change its kind
 * during the reads. Example: the comments are read; a note becomes a comment; the notes are read. Neither has it, but
 * its row names it, so both are read once more.
 */
async function commentsWithin(bounds: Bounds, kinds: Kind[], postId: string, ids: string[]): Promise<CommentRecord[]> {
  // With one kind alone, a comment that changes its kind just comes or goes.
  const mayMove = kinds.length > 1;
  if (!mayMove && ids.length === 0) return [];
  const read = async () => {
    const found = await Promise.all(kinds.map((kind) => getRange(range.comments(kind, postId, bounds), CommentItem)));
    return found.flat();
  };
  const found = await read();
  const isFound = (id: string) => found.some(({ commentId }) => commentId === id);
  return mayMove && !ids.every(isFound) ? [...found, ...(await read())] : found;
}
