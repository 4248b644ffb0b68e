import type { Permission } from "../../../lib/auth/permissions.ts";
import { MOST_PINNED } from "../../../lib/catalogue/pins.ts";
import type * as resource from "../../../lib/http/resources.ts";
import { key } from "../../../lib/table/keys.ts";
import { slugOf } from "../../../lib/values/slugs.ts";
import type { Effect } from "../../simulator/history/register.ts";
import type { Caller, Post, PostFields } from "../history/site.ts";
import { expectThat } from "../history/violation.ts";
import { type Answer, change, deleted, expectLife, type Family, MAYBE, outcomeOf, patched, type Turn } from "./turn.ts";
import { checkPost, endsOf, expectFound, mayBeBy, postOf, SEES_HIDDEN, visibility } from "./views.ts";

export function livePost(turn: Turn): Post | undefined {
  const posts = [...turn.site.posts.values()].slice(-60);
  const isDead = turn.random.chance(0.04);
  return turn.pick(posts, ({ life }) => isDead || life.between(turn.now, turn.now).includes("live"));
}

/** Whether the caller may have lacked the permission, and may not be the author. */
function notAllowed(post: Post, session: Caller, permission: Permission) {
  return ({ from, to }: Answer): boolean => post.author !== session.account && session.mayLack(permission, from, to);
}

async function create(turn: Turn): Promise<void> {
  const session = turn.caller();
  if (!session) return;
  const { site } = turn;
  const board = turn.random.chance(0.7) ? turn.pick(site.boards.values()) : undefined;
  const title = `Post ${turn.id} ${turn.random.below(1000)}`;
  const contentMarkdown = turn.random.chance(0.5)
    ? `Text of ${turn.id}. `.repeat(1 + turn.random.below(20))
    : undefined;
  const author = turn.random.chance(0.1) ? turn.pick(site.accounts) : undefined;
  const isOnBehalf = author !== undefined && author !== session.account;
  site.unansweredPosts.set(title, {
    name: turn.id,
    author: author ?? session.account,
    title,
    content: contentMarkdown ?? null,
    boardId: board?.id,
  });
  const request = { body: { title, contentMarkdown, boardId: board?.id, authorId: author?.userId } };
  const mayForbid = ({ from, to }: Answer): boolean => isOnBehalf && session.mayLack("post:assign", from, to);
  const send = turn.random.chance(0.5) ? "persist" : "call";
  const answer = await turn[send](session, "posts-create", request, { mayForbid });
  turn.expectStatus(answer, 201, "BOARD_NOT_FOUND");
  if (answer.status === 0) return;
  if (answer.status !== 201) {
    expectThat(site.unansweredPosts.delete(title), `a post whose making was refused is there: ${title}`);
    if (answer.code === "BOARD_NOT_FOUND")
      expectThat(visibility(board, answer).unseen, `posts-create does not find ${board?.name}, which is there`);
    return;
  }
  const made = answer.body.post as resource.CreatedPost;
  if (isOnBehalf)
    expectThat(session.mayHave("post:assign", answer.from, answer.to), "posts-create lets others write on behalf");
  const post = postOf(site, made, answer);
  post.acknowledge(answer.to);
  expectThat(made.userId === post.author.userId, "posts-create answers another author", made);
  expectThat(made.slug === slugOf(title, made.postId), "posts-create answers another slug", made);
  const isText = made.title === title && made.contentMarkdown === (contentMarkdown ?? null);
  expectThat(isText, "posts-create answers another text", made);
  expectThat(board === undefined || made.boardId === board.id, "posts-create answers another board", made);
  post.fields.learn(answer.from, answer.to, ({ boardId }) => boardId === made.boardId);
}

const CHANGED = { 200: "changed", POST_NOT_FOUND: MAYBE };

async function edit(turn: Turn): Promise<void> {
  const post = livePost(turn);
  const session = post && (turn.random.chance(0.8) ? turn.caller((account) => account === post.author) : turn.caller());
  if (!post || !session) return;
  const patch: Partial<PostFields> = turn.random.chance(0.5)
    ? { title: `Title of ${turn.id}` }
    : { content: `Text of ${turn.id}` };
  const body = { id: post.postId, title: patch.title, contentMarkdown: patch.content };
  const mayForbid = notAllowed(post, session, "post:update");
  const answer = await turn.write([change(post.fields, patched<PostFields>(patch))], CHANGED, () =>
    turn.call(session, "posts-update", { body }, { mayForbid }),
  );
  turn.expectStatus(answer, 200, "POST_NOT_FOUND");
  expectLife(post, "POST_NOT_FOUND", answer);
  if (answer.status === 200) checkChanged(post, answer, patch);
}

/** Changes a post only if it is unchanged since it was read: no change in between is lost. */
async function editAsRead(turn: Turn): Promise<void> {
  const post = livePost(turn);
  const session = post && turn.caller((account) => account === post.author);
  if (!post || !session) return;
  const { title } = turn.random.oneOf(post.fields.between(turn.now, turn.now));
  const read = await turn.call(session, "posts-by-slug", { body: { slug: slugOf(title, post.postId) } });
  if (read.status !== 200) return;
  const seen = read.body.post as resource.Post;
  checkPost(turn.site, seen, read, 100);
  // It was merged into another one.
  if (seen.postId !== post.postId) return;
  const content = `Text of ${turn.id}, if nothing changed`;
  const isAsRead = (state: PostFields): boolean =>
    state.title === seen.title && state.content === seen.contentMarkdown && state.status === seen.status.id;
  // A parallel change may leave everything as it was.
  const effect: Effect<PostFields> = (state) => [
    { state, outcome: "refused" },
    ...(isAsRead(state) ? [{ state: { ...state, content }, outcome: "changed" }] : []),
  ];
  const headers = { "if-match": `"${seen.updatedAt}"` };
  const body = { id: post.postId, contentMarkdown: content };
  const outcomes = { ...CHANGED, CHANGED_MEANWHILE: "refused" };
  const answer = await turn.write([change(post.fields, effect)], outcomes, () =>
    turn.call(session, "posts-update", { body, headers }, { mayForbid: notAllowed(post, session, "post:update") }),
  );
  turn.expectStatus(answer, 200, "POST_NOT_FOUND", "CHANGED_MEANWHILE");
  const wasPinned = new Set(turn.site.stored.pinnedStates(post.postId, read.from, answer.to)).size > 1;
  const wereOthers = post.fields.between(read.from, answer.to).length > 1;
  const changed = wereOthers || wasPinned || wasMerged(turn, post, read.from);
  if (answer.code === "CHANGED_MEANWHILE") expectThat(changed, `${post.name} is said to have changed, and has not`);
}

/** Whether a post was merged, and taken out of its merge again, since a time. */
function wasMerged({ site, now }: Turn, { postId, isJoined }: Post, since: number): boolean {
  return isJoined && site.stored.has(key.merged(postId), since, now).maybe;
}

function checkChanged(post: Post, { body, from, to }: Answer, patch: Partial<PostFields>): void {
  const view = body.post as resource.CreatedPost;
  const isSame = view.postId === post.postId && mayBeBy(post, view.userId);
  expectThat(isSame, "posts-update answers another post", view);
  const states = post.fields.between(from, to);
  const wasSo = states.some(({ title, content }) => title === view.title && content === view.contentMarkdown);
  expectThat(wasSo, `posts-update answers ${post.name} as it never was`, [view, states]);
  expectThat(patch.title === undefined || view.title === patch.title, "posts-update answers another title", view);
}

async function move(turn: Turn): Promise<void> {
  const post = livePost(turn);
  const session = turn.random.chance(0.95) ? turn.sessionAs("owner", "moderator") : turn.caller();
  if (!post || !session) return;
  const toBoard = turn.random.chance(0.5);
  const { boards, roadmaps } = turn.site;
  const place = turn.random.chance(0.15) ? undefined : turn.pick((toBoard ? boards : roadmaps).values());
  const id = place?.id ?? null;
  const patch = toBoard ? { boardId: id } : { roadmapId: id };
  const request = { body: { id: post.postId, ...patch } };
  // A key may have one of the two rights only.
  const mayForbid = ({ from, to }: Answer): boolean =>
    session.mayLack("post:moderate", from, to) || session.mayLack("post:update", from, to);
  // To a caller who does not see a hidden place, the post is in none already.
  const mayStay = ({ from, to }: Answer): boolean =>
    id === null && session.mayLack(SEES_HIDDEN[toBoard ? "boards" : "roadmaps"], from, to);
  const outcomes = (answer: Answer): string | undefined =>
    answer.status === 200 && mayStay(answer) ? MAYBE : outcomeOf(CHANGED, answer);
  const answer = await turn.write([change(post.fields, patched<PostFields>(patch))], outcomes, () =>
    turn.call(session, "posts-update", request, { mayForbid }),
  );
  turn.expectStatus(answer, 200, "POST_NOT_FOUND", "BOARD_NOT_FOUND", "ROADMAP_ID_OR_URL_MISSING");
  if (answer.code === "BOARD_NOT_FOUND" || answer.code === "ROADMAP_ID_OR_URL_MISSING")
    expectThat(visibility(place, answer).unseen, `posts-update does not find ${place?.name}, which is there`);
  else expectLife(post, "POST_NOT_FOUND", answer);
  if (answer.status === 200) checkChanged(post, answer, {});
}

async function setStatus(turn: Turn): Promise<void> {
  const post = livePost(turn);
  const session = turn.sessionAs("owner", "moderator");
  if (!post || !session) return;
  const status = turn.random.oneOf(["open", "planned", "started", "completed", "declined"]);
  const roadmap = turn.random.chance(0.3) ? turn.pick(turn.site.roadmaps.values()) : undefined;
  const patch = { status, ...(roadmap && { roadmapId: roadmap.id }) };
  const answer = await turn.write([change(post.fields, patched<PostFields>(patch))], CHANGED, () =>
    turn.call(session, "posts-set-status", { params: { postId: post.postId }, body: patch }),
  );
  turn.expectStatus(answer, 200, "POST_NOT_FOUND", ...(roadmap ? ["ROADMAP_ID_OR_URL_MISSING"] : []));
  if (roadmap && answer.code === "ROADMAP_ID_OR_URL_MISSING")
    expectThat(visibility(roadmap, answer).unseen, `posts-set-status does not find ${roadmap.name}, which is there`);
  else expectLife(post, "POST_NOT_FOUND", answer);
}

/** Locks a post, or unlocks it. */
async function lock(turn: Turn): Promise<void> {
  const post = livePost(turn);
  const session = turn.random.chance(0.9) ? turn.sessionAs("owner", "moderator") : turn.caller();
  if (!post || !session) return;
  const isLocked = turn.random.chance(0.4);
  const mayForbid = ({ from, to }: Answer): boolean =>
    session.mayLack("post:moderate", from, to) || session.mayLack("post:update", from, to);
  const answer = await turn.write([change(post.fields, patched<PostFields>({ isLocked }))], CHANGED, () =>
    turn.call(session, "posts-update", { body: { id: post.postId, isLocked } }, { mayForbid }),
  );
  turn.expectStatus(answer, 200, "POST_NOT_FOUND");
  expectLife(post, "POST_NOT_FOUND", answer);
  if (answer.status === 200) checkChanged(post, answer, {});
}

/** Pins a post, or unpins it. What is pinned is as the store has it: a merge takes a pin away. */
async function pin(turn: Turn): Promise<void> {
  const post = livePost(turn);
  const session = turn.random.chance(0.9) ? turn.sessionAs("owner", "moderator") : turn.caller();
  if (!post || !session) return;
  const isPinned = turn.random.chance(0.7);
  const mayForbid = ({ from, to }: Answer): boolean =>
    session.mayLack("post:moderate", from, to) || session.mayLack("post:update", from, to);
  const request = { body: { id: post.postId, isPinned } };
  const answer = await turn.call(session, "posts-update", request, { mayForbid });
  turn.expectStatus(answer, 200, "POST_NOT_FOUND", "TOO_MANY_PINNED");
  expectLife(post, "POST_NOT_FOUND", answer);
  const { status, code, from, to } = answer;
  const statesOf = ({ postId }: Post): boolean[] => turn.site.stored.pinnedStates(postId, from, to);
  if (status === 200) {
    expectThat(statesOf(post).includes(isPinned), `posts-update leaves ${post.name} as it was`, answer.body);
    turn.world.milestones.count(isPinned ? "pins" : "pins taken away");
  } else if (code === "TOO_MANY_PINNED") {
    const others = [...turn.site.posts.values()].filter((each) => each !== post && statesOf(each).includes(true));
    expectThat(isPinned && others.length >= MOST_PINNED, "posts-update finds no room for a pin", others.length);
  }
}

async function destroyBy(turn: Turn, session: Caller, post: Post): Promise<void> {
  const mayForbid = notAllowed(post, session, "post:destroy");
  const answer = await turn.write([change(post.life, deleted)], { 204: "deleted", POST_NOT_FOUND: "was gone" }, () =>
    turn.call(session, "posts-delete", { body: { id: post.postId } }, { mayForbid }),
  );
  turn.expectStatus(answer, 204, "POST_NOT_FOUND");
  if (answer.status === 204 || answer.code === "POST_NOT_FOUND") {
    expectThat(post.life.between(answer.from, answer.to).includes("gone"), `posts-delete leaves ${post.name} there`);
  }
}

/** Deletes a post; sometimes several clients do in parallel. */
async function destroy(turn: Turn): Promise<void> {
  const post = livePost(turn);
  const session = post && (turn.random.chance(0.5) ? turn.caller((account) => account === post.author) : turn.caller());
  if (post && session) await destroyBy(turn, session, post);
}

/** A storm: many requests to delete the newest posts in parallel. */
async function storm(turn: Turn): Promise<void> {
  const post = [...turn.site.posts.values()].at(-1 - turn.random.below(3));
  const session = turn.sessionAs("owner", "moderator");
  if (!post || !session) return;
  await Promise.all([1, 2, 3].map(() => destroyBy(turn, session, post)));
}

async function bySlug(turn: Turn): Promise<void> {
  const post = livePost(turn);
  const session = turn.random.chance(0.7) ? turn.caller() : undefined;
  if (!post) return;
  const { title } = turn.random.oneOf(post.fields.between(turn.now, turn.now));
  const answer = await turn.call(session, "posts-by-slug", { body: { slug: slugOf(title, post.postId) } });
  turn.expectStatus(answer, 200, "POST_NOT_FOUND");
  if (answer.status === 200) {
    checkRead(turn, post, answer);
    expectFound(turn.site, post, answer);
  } else if (answer.code === "POST_NOT_FOUND") {
    const wasOpen = post.fields.between(answer.from, answer.to).length > 1;
    if (!wasOpen) expectFound(turn.site, post, answer);
  }
}

async function byId(turn: Turn): Promise<void> {
  const post = livePost(turn);
  const session = turn.random.chance(0.7) ? turn.caller() : undefined;
  if (!post) return;
  const answer = await turn.call(session, "posts-by-id", { params: { postId: post.postId } });
  turn.expectStatus(answer, 200, "POST_NOT_FOUND");
  expectFound(turn.site, post, answer);
  if (answer.status === 200) checkRead(turn, post, answer);
}

/** The answer shows the post that was named, or the one in which it continues. */
function checkRead({ site }: Turn, named: Post, answer: Answer): void {
  const view = answer.body.post as resource.Post;
  const post = checkPost(site, view, answer, 100);
  expectThat(endsOf(site, named, answer).includes(post), `${answer.endpoint} answers another post than ${named.name}`);
}

export const posts: Family = {
  create: { weight: 7, act: create },
  edit: { weight: 5, act: edit },
  editAsRead: { weight: 2, act: editAsRead },
  move: { weight: 5, act: move },
  setStatus: { weight: 3, act: setStatus },
  lock: { weight: 1.5, act: lock },
  pin: { weight: 1.5, act: pin },
  destroy: { weight: 3, act: destroy },
  storm: { weight: 0.7, act: storm },
  bySlug: { weight: 10, act: bySlug },
  byId: { weight: 3, act: byId },
};
