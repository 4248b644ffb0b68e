import { NOBODY } from "../../../lib/accounts/users.ts";
import type * as resource from "../../../lib/http/resources.ts";
import { key } from "../../../lib/table/keys.ts";
import { slugOf } from "../../../lib/values/slugs.ts";
import type { Register } from "../../simulator/history/register.ts";
import {
  aPlace,
  aPost,
  aTag,
  type Place,
  type PlaceFields,
  type Post,
  type PostFields,
  type Site,
  type Tag,
  type TagFields,
} from "../history/site.ts";
import { expectThat, isSorted } from "../history/violation.ts";
import { type Answer, expectLife } from "./turn.ts";

// The rules for every answer that shows a post: each part is as it was at some moment of the call.

/** The time and the caller of a read. */
export type Span = Pick<Answer, "from" | "to" | "session" | "endpoint">;

export const SEES_HIDDEN = { boards: "board:read", roadmaps: "roadmap:read" } as const;

/** Whether a caller may have seen hidden boards and roadmaps at some moment, and may have not seen them at another. */
function sight({ session, from, to }: Span, kind: Place["kind"]): { all: boolean; some: boolean } {
  if (!session) return { all: false, some: true };
  return {
    all: session.mayHave(SEES_HIDDEN[kind], from, to),
    some: session.standing(from, to).refused || session.mayLack(SEES_HIDDEN[kind], from, to),
  };
}

/** Whether a caller may have found a board or roadmap, and whether not. */
export function visibility(place: Place | undefined, span: Span): { seen: boolean; unseen: boolean } {
  if (!place) return { seen: false, unseen: true };
  const { from, to } = span;
  const lives = place.life.between(from, to);
  const isNew = place.since > from;
  const shown = place.fields.between(from, to).map(({ display }) => display);
  const { all, some } = sight(span, place.kind);
  return {
    seen: lives.includes("live") && (all || shown.includes(true)),
    unseen: isNew || lives.includes("gone") || (some && shown.includes(false)),
  };
}

function isPlace(view: PlaceView, { name, url, color }: PlaceFields): boolean {
  return view.name === name && view.url === url && view.color === color;
}

type PlaceView = { name: string; url: string; color: string; display?: boolean | undefined };

/** The board or roadmap of an id; one whose creation got no answer is found by its name. */
export function placeOf(site: Site, kind: "boards" | "roadmaps", id: string, view: PlaceView, span: Span): Place {
  const known = site[kind].get(id);
  if (known) return known;
  const display = site.unansweredPlaces.get(view.name);
  expectThat(display !== undefined, `${span.endpoint} shows a board or roadmap that nobody made`, view);
  site.unansweredPlaces.delete(view.name);
  const { name, url, color } = view;
  const place = aPlace(kind, name, { id, seenAt: span.to, fields: { name, url, color, display } });
  site[kind].set(id, place);
  return place;
}

export function checkPlace(place: Place, view: PlaceView, span: Span): void {
  const { from, to, endpoint } = span;
  expectThat(visibility(place, span).seen, `${endpoint} shows ${place.name}, which the caller cannot see`, view);
  const states = place.fields.between(from, to).filter((state) => isPlace(view, state));
  expectThat(states.length > 0, `${endpoint} shows ${place.name} as it never was`, view);
  const isDisplayed = view.display === undefined || states.some(({ display }) => display === view.display);
  expectThat(isDisplayed, `${endpoint} shows another display`, view);
  place.fields.learn(from, to, (state) => isPlace(view, state));
}

/** Whether a post that is shown on this board or roadmap, or on none, may be on the one with an id. */
function isOn(places: Map<string, Place>, id: string | null, shown: string | null, span: Span): boolean {
  return shown === null ? id === null || visibility(places.get(id), span).unseen : id === shown;
}

/** Whether a caller may have found a tag, and whether not. */
export function tagVisibility(tag: Tag | undefined, { from, to }: Span): { seen: boolean; unseen: boolean } {
  if (!tag) return { seen: false, unseen: true };
  const lives = tag.life.between(from, to);
  return { seen: lives.includes("live"), unseen: tag.since > from || lives.includes("gone") };
}

/** Checks a tag; one whose creation got no answer is found by its name. */
export function checkTag(site: Site, view: resource.Tag, span: Span): void {
  const { from, to, endpoint } = span;
  const known = site.tags.get(view.id);
  const isNew = !known && site.unansweredTags.delete(view.name);
  expectThat(known !== undefined || isNew, `${endpoint} shows a tag that nobody made`, view);
  const { id, ...fields } = view;
  const tag = known ?? aTag(view.name, { id, seenAt: to, fields });
  site.tags.set(id, tag);
  expectThat(tagVisibility(tag, span).seen, `${endpoint} shows the deleted tag ${tag.name}`, view);
  const fits = ({ name, color }: TagFields): boolean => name === view.name && color === view.color;
  const states = tag.fields.between(from, to);
  expectThat(states.some(fits), `${endpoint} shows ${tag.name} as it never was`, [view, states]);
  tag.fields.learn(from, to, fits);
}

/** Whether a post that is shown with some tags may have the tags of these ids. */
function hasTags({ tags }: Site, ids: readonly string[], shown: resource.Tag[], span: Span): boolean {
  const isShown = (id: string): boolean => shown.some((view) => view.id === id);
  return (
    shown.every(({ id }) => ids.includes(id)) &&
    ids.every((id) => isShown(id) || tagVisibility(tags.get(id), span).unseen)
  );
}

/** The post of an id; one whose creation got no answer is found by its title. */
export function postOf(site: Site, view: { postId: string; title: string }, { to, endpoint }: Span): Post {
  const known = site.posts.get(view.postId);
  if (known) return known;
  const made = site.unansweredPosts.get(view.title);
  expectThat(made !== undefined, `${endpoint} shows a post that nobody made`, view);
  site.unansweredPosts.delete(view.title);
  const { name, author, title, content, boardId } = made;
  const boards = boardId === undefined ? [null, ...site.boards.keys()] : [boardId];
  const states = boards.map((id) => ({
    title,
    content,
    boardId: id,
    roadmapId: null,
    status: "open",
    isLocked: false,
    tags: [],
  }));
  const post = aPost(name, { postId: view.postId, author, seenAt: to, states });
  site.posts.set(view.postId, post);
  if (author.isLeaving) post.join(site.stored);
  return post;
}

/** Whether an answer may show a post as by an account: by its author, or by nobody if that one leaves. */
export function mayBeBy({ author }: Post, userId: string): boolean {
  return userId === author.userId || (author.isLeaving && userId === NOBODY.userId);
}

export function checkPost(site: Site, view: resource.Post, span: Span, seats: number): Post {
  const { from, to, endpoint } = span;
  const post = postOf(site, view, span);
  expectThat(post.life.between(from, to).includes("live"), `${endpoint} shows the dead post ${post.name}`);
  expectThat(mayBeBy(post, view.author.userId), `${endpoint} shows another author of ${post.name}`);
  const { name } = view.author;
  expectThat(post.author.names.has(name), `${endpoint} shows a name that the author never had`, name);
  const fits = (state: PostFields): boolean =>
    state.title === view.title &&
    state.content === view.contentMarkdown &&
    state.status === view.status.id &&
    state.isLocked === view.isLocked &&
    isOn(site.boards, state.boardId, view.board?.boardId ?? null, span) &&
    isOn(site.roadmaps, state.roadmapId, view.roadmap?.id ?? null, span) &&
    hasTags(site, state.tags, view.tags, span);
  const states = post.fields.between(from, to);
  expectThat(states.some(fits), `${endpoint} shows ${post.name} as it never was`, [view, states]);
  const pinned = site.stored.pinnedStates(post.postId, from, to);
  expectThat(pinned.includes(view.isPinned), `${endpoint} is wrong about the pin of ${post.name}`, view);
  post.fields.learn(from, to, fits);
  expectThat(view.slug === slugOf(view.title, post.postId), `${endpoint} shows a slug of another title`, view.slug);
  if (view.board) checkPlace(placeOf(site, "boards", view.board.boardId, view.board, span), view.board, span);
  if (view.roadmap) checkPlace(placeOf(site, "roadmaps", view.roadmap.id, view.roadmap, span), view.roadmap, span);
  for (const tag of view.tags) checkTag(site, tag, span);
  const named = site.statuses.between(from, to).some((names) => names[view.status.id] === view.status.name);
  expectThat(named, `${endpoint} shows a status as it never was`, view.status);
  // While it is deleted, a batch that came in parts may have the post and no longer its voters item, nor a single post
  // its votes and the number of its comments (docs/data-model.md#rules).
  const hasNone = view.voters.votesCount === 0 && view.voters.votes.length === 0 && view.commentsCount === 0;
  const mayBeGone = post.life.between(from, to).includes("gone") || site.stored.mayLackVoters(post.postId, from);
  if ((hasNone || seats > 6) && mayBeGone) return post;
  checkVoters(site, post, view.voters, span, seats);
  checkCommentsCount(site, post, view.commentsCount, span);
  return post;
}

/** How many of some yes-or-no registers were surely true, and how many possibly, at one moment of a span. */
function bounds(registers: Iterable<Register<boolean>>, from: number, to: number): { least: number; most: number } {
  let least = 0;
  let most = 0;
  for (const register of registers) {
    const states = register.between(from, to);
    if (states.includes(true)) most++;
    if (!states.includes(false)) least++;
  }
  return { least, most };
}

/** Checks the voters of a post; `seats` is how many votes are shown at most. */
export function checkVoters(
  site: Site,
  post: Post,
  { votes, votesCount, viewerVote }: resource.Voters,
  { from, to, session, endpoint }: Span,
  seats: number,
): void {
  const isGone = post.life.between(from, to).includes("gone");
  // An answer that reads the votes themselves may lack some of a post that is being deleted (docs/data-model.md#rules).
  if (isGone && seats > 6) return;
  const where = `${endpoint}: voters of ${post.name}`;
  const { least, most } = post.isJoined
    ? site.stored.votesOf(post.postId, from, to)
    : bounds(post.votes.values(), from, to);
  const isRight = votesCount >= least && votesCount <= most;
  expectThat(isRight, `${where}: ${votesCount} votes, of ${least} to ${most}`);
  const isWhole = votes.length === Math.min(votesCount, seats);
  // A single post reads the number and the votes one beside the other.
  const mayDiffer = seats > 6 && least !== most;
  expectThat(isWhole || mayDiffer, `${where}: shows ${votes.length} of ${votesCount} votes`);
  const ids = votes.map(({ voteId }) => voteId);
  expectThat(isSorted(ids), `${where}: votes not in their order`, ids);
  const accounts = new Set(votes.map(({ userId }) => userId));
  expectThat(accounts.size === votes.length, `${where}: an account votes twice`, votes);
  for (const { userId, name, voteId } of votes) {
    const voter = site.byUserId.get(userId);
    if (!voter && post.isJoined) {
      expectPassingVoter(site, post, userId, { from, to, session, endpoint });
      continue;
    }
    expectThat(voter !== undefined, `${where}: a vote of nobody`, userId);
    const hasVoted = post.voteOf(voter).between(from, to).includes(true);
    const isHalfThere = post.isJoined && site.stored.mayBeVoteOf(userId, post.postId, voteId, from, to);
    expectThat(hasVoted || isHalfThere, `${where}: ${voter.name} has not voted`);
    expectThat(voter.names.has(name), `${where}: a name that ${voter.name} never had`, name);
  }
  if (!session) {
    expectThat(viewerVote === null, `${where}: a vote of a viewer without a session`, viewerVote);
    return;
  }
  const own = post.voteOf(session.account);
  const hasVoted = viewerVote !== null;
  // The vote is read after the post: by then the viewer may be nobody, or the post deleted and swept.
  const mayHaveNone = isGone || session.standing(from, to).refused;
  const isOwn = own.between(from, to).includes(hasVoted) || (mayHaveNone && !hasVoted);
  expectThat(isOwn, `${where}: wrong vote of ${session.account.name}`, viewerVote);
  expectThat(!hasVoted || viewerVote.userId === session.account.userId, `${where}: the viewer's vote is another's`);
  if (!mayHaveNone) own.learn(from, to, (state) => state === hasVoted);
}

/** A vote of an account that comes and goes, or of none any more. */
export function expectPassingVoter({ stored }: Site, { postId, name }: Post, userId: string, span: Span): void {
  const { maybe } = stored.has(key.userVote(userId, postId), span.from, span.to);
  expectThat(maybe, `${span.endpoint}: voters of ${name}: a vote of nobody`, userId);
}

/** The posts in which a named one may have continued during a call: itself, where it took part in no merge. */
export function endsOf(site: Site, post: Post, { from, to }: Pick<Span, "from" | "to">): Post[] {
  if (!post.isJoined) return [post];
  const { ends } = site.stored.endsOf(post.postId, from, to);
  return [...ends].flatMap((postId) => site.posts.get(postId) ?? []);
}

/** Checks an answer about a post that was perhaps merged: it is right for one of those in which it may continue. */
export function checkWhereItContinues(site: Site, post: Post, span: Span, check: (end: Post) => void): void {
  let failed: unknown;
  for (const end of endsOf(site, post, span)) {
    try {
      check(end);
      return;
    } catch (error) {
      failed = error;
    }
  }
  if (failed) throw failed;
}

/**
 * Throws if an answer of a call that follows merges finds a post that is gone, or does not find one that is there. One
 * that continues on a hidden board is found only by who sees that board.
 */
export function expectFound(site: Site, post: Post, answer: Answer): void {
  const { from, to, code, status, endpoint } = answer;
  if (!post.isJoined) {
    expectLife(post, "POST_NOT_FOUND", answer);
    return;
  }
  const { mayBeNone } = site.stored.endsOf(post.postId, from, to);
  const ends = endsOf(site, post, answer);
  if (code === "POST_NOT_FOUND") {
    const mayBeHidden = ends.some((end) => end !== post && mayBeOnHiddenBoard(site, end, answer));
    expectThat(mayBeNone || mayBeHidden, `${endpoint} does not find ${post.name}, which is there`);
  } else if (status >= 200 && status < 300)
    expectThat(ends.length > 0, `${endpoint} finds ${post.name}, which is gone`);
}

function mayBeOnHiddenBoard(site: Site, { fields }: Post, answer: Answer): boolean {
  const states = fields.between(answer.from, answer.to);
  return states.some(({ boardId }) => boardId !== null && visibility(site.boards.get(boardId), answer).unseen);
}

function checkCommentsCount(site: Site, post: Post, count: number, { from, to, endpoint }: Span): void {
  if (post.isJoined) {
    const { least, most } = site.stored.commentsOf(post.postId, from, to);
    const isRight = count >= least && count <= most;
    expectThat(isRight, `${endpoint}: ${count} comments on ${post.name}, of ${least} to ${most}`);
    return;
  }
  let least = 0;
  let most = post.unanswered.size;
  for (const { state, since } of post.comments.values()) {
    const isPublic = state.between(from, to).map((each) => each !== "gone" && !each.isInternal);
    if (isPublic.includes(true)) most++;
    if (!isPublic.includes(false) && since <= from) least++;
  }
  const isRight = count >= least && count <= most;
  expectThat(isRight, `${endpoint}: ${count} comments on ${post.name}, of ${least} to ${most}`);
}
