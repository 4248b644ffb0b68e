import type * as resource from "../../../lib/http/resources.ts";
import { key } from "../../../lib/table/keys.ts";
import type { Effect } from "../../simulator/history/register.ts";
import { aComment, type Caller, type Comment, type CommentState, type Post, type Site } from "../history/site.ts";
import { expectThat, isSorted } from "../history/violation.ts";
import { livePost } from "./posts.ts";
import { type Answer, change, type Family, MAYBE, outcomeOf, pages, type Turn } from "./turn.ts";
import { checkWhereItContinues, expectFound } from "./views.ts";

// Comments and notes: texts, visibility, lists. views.ts checks their number on a post.

/**
 * The comment of an answer; one whose creation got no answer is found by its text. It is kept with the post that was
 * named for it, wherever a merge has carried it.
 */
function commentOf(site: Site, named: Post, view: resource.Comment, { to, endpoint }: Answer): Comment {
  const posts = named.isJoined ? [named, ...site.posts.values()] : [named];
  const known = posts.map(({ comments }) => comments.get(view.id)).find((comment) => comment !== undefined);
  if (known) return known;
  const home = posts.find(({ unanswered }) => unanswered.has(view.body));
  const made = home?.unanswered.get(view.body);
  expectThat(home !== undefined && made !== undefined, `${endpoint} shows a comment that nobody made`, view);
  home.unanswered.delete(view.body);
  const comment = aComment(made.name, { ...made, id: view.id, body: view.body, seenAt: to });
  home.comments.set(view.id, comment);
  return comment;
}

/** Whether a comment may have been elsewhere than where its post continued: a move may not have reached it. */
function mayBeElsewhere({ stored }: Site, post: Post, { id }: Comment, { from, to }: Answer): boolean {
  if (!post.isJoined) return false;
  const [end, ...others] = stored.endsOf(post.postId, from, to).ends;
  if (end === undefined || others.length > 0) return true;
  return !stored.has(key.comment(end, id), from, to).always && !stored.has(key.note(end, id), from, to).always;
}

/** A post with comments, by preference one that is there; undefined without comments anywhere. */
export function discussedPost(turn: Turn): Post | undefined {
  const discussed = [...turn.site.posts.values()].filter(({ comments }) => comments.size > 0);
  return turn.pick(discussed, ({ life }) => life.between(turn.now, turn.now).includes("live")) ?? turn.pick(discussed);
}

export function liveComment(turn: Turn, post: Post | undefined): Comment | undefined {
  return turn.pick(
    post?.comments.values() ?? [],
    ({ state }) => turn.random.chance(0.05) || state.between(turn.now, turn.now).some((each) => each !== "gone"),
  );
}

async function create(turn: Turn): Promise<void> {
  const post = livePost(turn);
  const session = turn.caller();
  if (!post || !session) return;
  const isInternal = turn.random.chance(0.15);
  const parent = turn.random.chance(0.2) ? liveComment(turn, post) : undefined;
  const text = `Comment ${turn.id}`;
  post.unanswered.set(text, { name: turn.id, author: session.account, isInternal });
  const request = {
    params: { postId: post.postId },
    body: { body: text, is_internal: isInternal, ...(parent && { parent_id: parent.id }) },
  };
  const mayForbid = ({ from, to }: Answer): boolean =>
    isInternal && session.mayLack("comment:create_internal", from, to);
  const send = turn.random.chance(0.5) ? "persist" : "call";
  const answer = await turn[send](session, "comments-create", request, { mayForbid });
  turn.expectStatus(answer, 201, "POST_NOT_FOUND", "POST_LOCKED", "COMMENT_NOT_FOUND", "VALIDATION_ERROR");
  const states = parent?.state.between(answer.from, answer.to) ?? [];
  const mayBeNote = states.some((each) => each !== "gone" && each.isInternal);
  if (answer.code === "VALIDATION_ERROR") {
    expectThat(mayBeNote && !isInternal, `comments-create refuses a reply to ${parent?.name}, which is public`);
  } else if (answer.code === "COMMENT_NOT_FOUND") {
    const mayBeGone = states.includes("gone") || post.life.between(answer.from, answer.to).includes("gone");
    const mayLack = mayBeNote || mayBeGone || (parent && mayBeElsewhere(turn.site, post, parent, answer));
    expectThat(mayLack === true, `comments-create does not find ${parent?.name}, which is there`);
  } else expectFound(turn.site, post, answer);
  checkWhereItContinues(turn.site, post, answer, (end) => checkLock(end, session, answer));
  if (answer.status === 201) {
    const { comment } = answer.body.activity as resource.Activity;
    const isRight = comment.body === text && comment.is_internal === isInternal;
    expectThat(isRight, "comments-create answers another comment", comment);
    commentOf(turn.site, post, comment, answer).acknowledge(answer.to);
  } else if (answer.status !== 0 && answer.code !== "POST_NOT_FOUND") {
    expectThat(post.unanswered.delete(text), `a comment whose making was refused is there: ${text}`);
  }
}

/** Only the team comments on a post while it is locked. */
function checkLock(post: Post, session: Caller, { status, code, from, to }: Answer): void {
  const states = post.fields.between(from, to);
  const isOfTeam = session.mayHave("post:moderate", from, to);
  const mayPass = isOfTeam || states.some(({ isLocked }) => !isLocked);
  expectThat(status !== 201 || mayPass, `comments-create adds a comment to ${post.name}, which is locked`);
  const mayBeRefused = session.mayLack("post:moderate", from, to) && states.some(({ isLocked }) => isLocked);
  expectThat(code !== "POST_LOCKED" || mayBeRefused, `comments-create refuses ${session.account.name} as locked out`);
}

const CHANGED = { 200: "changed", COMMENT_NOT_FOUND: "was gone", POST_NOT_FOUND: MAYBE };

function edited(body: string): Effect<CommentState> {
  return (state) =>
    state === "gone" ? [{ state, outcome: "was gone" }] : [{ state: { ...state, body }, outcome: "changed" }];
}

const deleted: Effect<CommentState> = (state) => [
  { state: "gone", outcome: state === "gone" ? "was gone" : "deleted" },
];

/** A comment that is not found may be hidden from the caller, or on a deleted post. */
function mayBeUnseen(post: Post, comment: Comment, answer: Answer): boolean {
  const { from, to, session } = answer;
  const states = comment.state.between(from, to);
  const isNote = states.some((each) => each !== "gone" && each.isInternal);
  return (
    (isNote && (session?.mayLack("comment:view_internal", from, to) ?? true)) ||
    post.life.between(from, to).includes("gone")
  );
}

function edit(isDeletion: boolean) {
  return async (turn: Turn): Promise<void> => {
    const post = discussedPost(turn);
    const comment = liveComment(turn, post);
    if (!post || !comment) return;
    const session = turn.random.chance(0.7)
      ? turn.caller((account) => account === comment.author)
      : turn.sessionAs("owner", "moderator");
    if (!session) return;
    const params = { postId: post.postId, commentId: comment.id };
    const body = `Comment ${turn.id}, changed`;
    const any = isDeletion ? "comment:delete:any" : "comment:update:any";
    const mayForbid = ({ from, to }: Answer): boolean =>
      comment.author !== session.account && session.mayLack(any, from, to);
    const effect = isDeletion ? deleted : edited(body);
    const outcomes = isDeletion ? { ...CHANGED, 204: "deleted" } : CHANGED;
    const outcomesOf = (answer: Answer): string | undefined => {
      const outcome = outcomeOf(outcomes, answer);
      const mayBeThere = mayBeUnseen(post, comment, answer) || mayBeElsewhere(turn.site, post, comment, answer);
      return outcome === "was gone" && mayBeThere ? MAYBE : outcome;
    };
    const answer = await turn.write([change(comment.state, effect)], outcomesOf, () =>
      isDeletion
        ? turn.call(session, "comments-delete", { params }, { mayForbid })
        : turn.call(session, "comments-update", { params, body: { body } }, { mayForbid }),
    );
    turn.expectStatus(answer, 200, 204, "COMMENT_NOT_FOUND", "POST_NOT_FOUND");
  };
}

/** Walks along the comments on a post in either order: each once, no deleted or hidden one, every lasting one. */
async function browse(turn: Turn): Promise<void> {
  const post = livePost(turn);
  const session = turn.random.chance(0.7) ? turn.caller() : undefined;
  if (!post) return;
  const from = turn.now;
  const wantsNotes = turn.random.chance(0.4);
  const isOldestFirst = turn.random.chance(0.3);
  const seen: string[] = [];
  const send = (more: object) => {
    const first = String(1 + turn.random.below(20));
    const order = isOldestFirst && { sort: "oldest" };
    const query = { first, ...order, ...(wantsNotes && { visibility: "public,internal" }), ...more };
    return turn.call(session, "comments-list", { params: { postId: post.postId }, query });
  };
  for await (const answer of pages(send)) {
    turn.expectStatus(answer, 200, "POST_NOT_FOUND");
    expectFound(turn.site, post, answer);
    if (answer.status !== 200) return;
    const activity = answer.body.activity as resource.Activity[];
    for (const { comment: view } of activity) {
      checkComment(commentOf(turn.site, post, view, answer), view, answer, wantsNotes);
    }
    seen.push(...activity.map(({ id }) => id));
  }
  const oldestFirst = isOldestFirst ? seen : seen.toReversed();
  if (post.isJoined) {
    checkWhereCommentsContinue(turn, post, oldestFirst, from);
    return;
  }
  expectThat(isSorted(oldestFirst), "comments-list is not in order", seen);
  // A post that is deleted meanwhile takes its comments with it, one after the other.
  if (post.life.between(from, turn.now).includes("gone")) return;
  for (const { id, name, state, since } of post.comments.values()) {
    const always = since < from && state.between(from, turn.now).every((each) => each !== "gone" && !each.isInternal);
    expectThat(!always || seen.includes(id), `comments-list of ${post.name} lacks ${name}`);
  }
}

/** The comments of a post that takes part in merges: those that the post had in which it continued the whole time. */
function checkWhereCommentsContinue({ site, now }: Turn, post: Post, seen: readonly string[], from: number): void {
  const { stored } = site;
  const [end, ...others] = stored.endsOf(post.postId, from, now).ends;
  // Between two pages it may have been merged.
  if (end === undefined || others.length > 0) return;
  expectThat(isSorted(seen), "comments-list is not in order", seen);
  for (const id of seen) {
    const isThere = [key.comment(end, id), key.note(end, id)].some((each) => stored.has(each, from, now).maybe);
    expectThat(isThere, `comments-list of ${post.name} shows a comment of another post`, id);
  }
  const lasting = [...stored.lasting(key.comment(end, "").pk, from, now)];
  expectThat(
    lasting.every((id) => seen.includes(id)),
    `comments-list of ${post.name} lacks comments`,
    lasting,
  );
}

function checkComment(
  comment: Comment,
  view: resource.Comment,
  { from, to, session, endpoint }: Answer,
  wantsNotes: boolean,
): void {
  const states = comment.state.between(from, to);
  const isShown = states.some(
    (each) => each !== "gone" && each.body === view.body && each.isInternal === view.is_internal,
  );
  expectThat(isShown, `${endpoint} shows ${comment.name} as it never was`, [view, states]);
  const maySee = wantsNotes && (session?.mayHave("comment:view_internal", from, to) ?? false);
  expectThat(!view.is_internal || maySee, `${endpoint} shows a note without the permission for it`, view);
}

/** Reads one comment: a note only if the caller may see it. */
async function read(turn: Turn): Promise<void> {
  const post = livePost(turn);
  const comment = liveComment(turn, post);
  const session = turn.random.chance(0.7) ? turn.caller() : undefined;
  if (!post || !comment) return;
  const params = { postId: post.postId, commentId: comment.id };
  const answer = await turn.call(session, "comments-by-id", { params });
  turn.expectStatus(answer, 200, "COMMENT_NOT_FOUND", "POST_NOT_FOUND");
  expectFound(turn.site, post, answer);
  if (answer.status === 200) {
    checkComment(comment, (answer.body.activity as resource.Activity).comment, answer, true);
  } else if (answer.code === "COMMENT_NOT_FOUND") {
    const isEnded = session?.standing(answer.from, answer.to).refused ?? false;
    const isNew = comment.since > answer.from;
    const isGone = comment.state.between(answer.from, answer.to).includes("gone");
    const isOnItsWay = mayBeElsewhere(turn.site, post, comment, answer);
    const mayLack = isEnded || isNew || isGone || isOnItsWay || mayBeUnseen(post, comment, answer);
    expectThat(mayLack, `comments-by-id does not find ${comment.name}, which is there`);
  }
}

export const comments: Family = {
  create: { weight: 4, act: create },
  edit: { weight: 1.5, act: edit(false) },
  destroy: { weight: 1, act: edit(true) },
  browse: { weight: 2.5, act: browse },
  read: { weight: 1, act: read },
};
