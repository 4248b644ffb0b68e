import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/mini";
import { CommentItem, type CommentRecord } from "../posts/comments.ts";
import { Choice } from "../posts/moving-subscriptions.ts";
import * as posts from "../posts/posts.ts";
import { type StatusChange, StatusChangeItem } from "../posts/status-changes.ts";
import { mark, VOTERS_SUFFIX } from "../table/keys.ts";
import { range, restAfter } from "../table/ranges.ts";
import { isMoving, VoteItem, type VoteRecord } from "../votes/votes.ts";
import { allMergedInto, type WholeMerged } from "./merged.ts";
import { allOf, paged } from "./paged.ts";
import type { Work } from "./work.ts";

// A post is exported with its votes, comments and changes, as they all were at one moment. While people vote, the rows
// that are read can differ from the numbers that the post counts: then it is read again, as long as there is time.

const PAGE = 200;
const LARGE_PAGE = 1000;
const ATTEMPTS = 20;
const MOVE_WAIT_MS = 500;
const LONGEST_MOVE_MS = 15 * 60_000;

/** The posts of the table with their voters, oldest first, `after` one. A post and its voters lie side by side. */
export async function* allPosts(
  work: Work,
  after: string | undefined,
): AsyncGenerator<posts.PostWithVoters[], void, undefined> {
  const skOf = (item: Parameters<typeof posts.isPost>[0]) =>
    posts.isPost(item) ? item.postId : `${item.postId}${VOTERS_SUFFIX}`;
  const rest = restAfter(range.posts(), after && `${after}${VOTERS_SUFFIX}`);
  const walk = { range: rest, schema: posts.postOrVotersItem, skOf, pageSize: PAGE };
  let open: posts.PostRecord[] = [];
  for await (const page of paged(work, walk)) {
    const items = [...open, ...page];
    const last = items.at(-1);
    // Its voters come with the next page.
    open = last && posts.isPost(last) ? [last] : [];
    yield posts.withVoters(items.slice(0, items.length - open.length));
  }
  yield posts.withVoters(open);
}

export type WholePost = {
  post: posts.PostRecord;
  votes: VoteRecord[];
  /** Comments and notes, oldest first. */
  comments: CommentRecord[];
  /** The ids of the notes that were public once. */
  wasPublic: Set<string>;
  changes: StatusChange[];
  follows: z.output<typeof Choice>[];
  merged: WholeMerged[];
};

/** Votes are moved to a post, or from it, for a merge. */
export class StillMoving extends Error {
  override readonly name = "StillMoving";

  constructor(postId: string) {
    super(`Votes of the post ${postId} are still being moved: export later`);
  }
}

/**
 * Reads what belongs to a post; undefined if it has been deleted or merged meanwhile. `endsAt`: when the last reading
 * has to end (ms since 1970). Then it throws StillMoving where votes are moved, otherwise it waits for them.
 */
export async function wholePost(
  work: Work,
  asRead: posts.PostWithVoters,
  endsAt?: number,
): Promise<WholePost | undefined> {
  const { postId } = asRead.post;
  const wait = endsAt === undefined ? LONGEST_MOVE_MS : 0;
  let found = await atRest(work, asRead, wait);
  for (let attempt = 1; found; attempt++) {
    const begunAt = Date.now();
    const whole = await readWhole(work, found);
    // Another reading takes as long as this one.
    const readAt = Date.now();
    const isLast = attempt === ATTEMPTS || (endsAt !== undefined && readAt + (readAt - begunAt) > endsAt);
    // What keeps changing is taken as it was read in the end: rows of the file contain no numbers of others.
    if (isLast || isOfOneMoment(whole, found)) return whole;
    const next = await work(() => posts.findWithVoters(postId));
    found = next && (await atRest(work, next, wait));
  }
  return undefined;
}

/** Waits until no votes move to a post or from it; undefined if it was deleted or merged meanwhile. */
async function atRest(
  work: Work,
  asRead: posts.PostWithVoters,
  longestWaitMs: number,
): Promise<posts.PostWithVoters | undefined> {
  const { postId } = asRead.post;
  let found: posts.PostWithVoters | undefined = asRead;
  for (let waited = 0; found && isMoving(found.voters); waited += MOVE_WAIT_MS) {
    if (waited >= longestWaitMs) throw new StillMoving(postId);
    await sleep(MOVE_WAIT_MS);
    found = await work(() => posts.findWithVoters(postId));
  }
  return found;
}

function isOfOneMoment({ votes, comments, changes }: WholePost, { voters }: posts.PostWithVoters): boolean {
  const written = voters.comments + voters.notes;
  return votes.length === voters.count && comments.length === written && changes.length === voters.statuses;
}

const Hidden = z.object({ sk: z.string() });

async function readWhole(work: Work, { post, voters }: posts.PostWithVoters): Promise<WholePost> {
  const { postId } = post;
  const [votes, comments, notes, hidden, changes, follows, merged] = await Promise.all([
    voters.count > 0 ? allOf(work, walkOfVotes(postId)) : [],
    voters.comments > 0 ? allOf(work, walkOfComments("comment", postId)) : [],
    voters.notes > 0 ? allOf(work, walkOfComments("note", postId)) : [],
    voters.notes > 0 ? allOf(work, walkOfHidden(postId)) : [],
    voters.statuses > 0 ? allOf(work, walkOfChanges(postId)) : [],
    allOf(work, walkOfFollows(postId)),
    voters.move.moves ? allMergedInto(work, postId) : [],
  ]);
  const written = [...comments, ...notes].sort((a, b) => (a.commentId < b.commentId ? -1 : 1));
  const wasPublic = new Set(hidden.map(({ sk }) => sk.slice(mark.hidden.length)));
  return { post, votes, comments: written, wasPublic, changes, follows, merged };
}

function walkOfVotes(postId: string) {
  const skOf = ({ voteId }: VoteRecord) => voteId;
  return { range: range.votes(postId), schema: VoteItem, skOf, pageSize: LARGE_PAGE };
}

function walkOfComments(kind: "comment" | "note", postId: string) {
  const skOf = ({ commentId }: CommentRecord) => commentId;
  return { range: range.comments(kind, postId, {}), schema: CommentItem, skOf, pageSize: PAGE };
}

function walkOfHidden(postId: string) {
  const skOf = ({ sk }: z.output<typeof Hidden>) => sk;
  return { range: range.hiddenComments(postId), schema: Hidden, skOf, pageSize: LARGE_PAGE };
}

function walkOfChanges(postId: string) {
  const skOf = ({ changeId }: StatusChange) => `${mark.statusChange}${changeId}`;
  return { range: range.statusChanges(postId), schema: StatusChangeItem, skOf, pageSize: LARGE_PAGE };
}

function walkOfFollows(postId: string) {
  const skOf = ({ sk }: z.output<typeof Choice>) => sk;
  return { range: range.subscriptions(postId), schema: Choice, skOf, pageSize: LARGE_PAGE };
}
