import { createHash } from "node:crypto";
import { changedPolicy, NOTHING_HELD } from "../../../lib/accounts/moderation-policy.ts";
import { register } from "../../../lib/accounts/new-users.ts";
import * as site from "../../../lib/accounts/site.ts";
import * as users from "../../../lib/accounts/users.ts";
import { newAccount, openAccount } from "../../../lib/auth/accounts.ts";
import * as passwords from "../../../lib/auth/passwords.ts";
import * as boards from "../../../lib/catalogue/boards.ts";
import * as catalogue from "../../../lib/catalogue/catalogue.ts";
import * as roadmaps from "../../../lib/catalogue/roadmaps.ts";
import type * as statuses from "../../../lib/catalogue/statuses.ts";
import * as tags from "../../../lib/catalogue/tags.ts";
import { derive } from "../../../lib/cleanup/derived-rows.ts";
import { carryOut } from "../../../lib/cleanup/merges.ts";
import { recordPart } from "../../../lib/events/audit-part.ts";
import { addComment } from "../../../lib/posts/comment-changes.ts";
import * as comments from "../../../lib/posts/comments.ts";
import { find as findHeld, hold } from "../../../lib/posts/held.ts";
import { findEither } from "../../../lib/posts/merged-posts.ts";
import { merge } from "../../../lib/posts/merging.ts";
import * as posts from "../../../lib/posts/posts.ts";
import * as statusChanges from "../../../lib/posts/status-changes.ts";
import { allEnded } from "../../../lib/runtime/all-ended.ts";
import { withStoreBudget } from "../../../lib/runtime/store-budget.ts";
import { StoreUnavailable } from "../../../lib/table/client.ts";
import { accompany } from "../../../lib/table/companion.ts";
import * as due from "../../../lib/table/due.ts";
import type { Part } from "../../../lib/table/parts.ts";
import { idAt, namedIdAt, timeOf } from "../../../lib/values/ids.ts";
import { slugOf } from "../../../lib/values/slugs.ts";
import type { StatusKind } from "../../../lib/values/statuses.ts";
import { SEATS } from "../../../lib/votes/seats.ts";
import * as votes from "../../../lib/votes/votes.ts";
import * as voting from "../../../lib/votes/voting.ts";
import * as webhooks from "../../../lib/webhooks/webhooks.ts";
import * as demo from "./demo-set.ts";

// The demo set is written through lib, like all data. Each step looks for what exists, so the next load completes an
// interrupted one and keeps what people changed in the demo.

const DAY_MS = 86_400_000;

/** Writes what is missing of the demo set. It can be called again after it was interrupted. */
export async function loadDemo(): Promise<void> {
  // This account is created last, so nothing is missing if it exists.
  if (await users.idOf(demo.suspended.email)) return;
  const passwordHash = await passwords.hash(demo.password);
  const start = await startOfDemo();
  const anAccount = (person: demo.DemoPerson) => account(person, start, passwordHash);
  // This account is created first. Its id contains the time at which the demo starts.
  await anAccount(demo.member);
  await setUp(start, passwordHash);
  const placed = await placesOf(start);
  await addWebhook(start);
  const people = new Map<string, users.Person>();
  await forEach(Object.entries({ member: demo.member, moderator: demo.moderator, ...demo.writers }), async (entry) => {
    people.set(entry[0], await anAccount(entry[1]));
  });
  const voters: users.Person[] = [];
  await forEach([...demo.voters.entries()], async ([index, person]) => {
    voters[index] = await anAccount(person);
  });
  const deleted = new Set(await due.waitingIds("DELETED"));
  const load = async (demoPost: demo.DemoPost, supporters: users.Person[]): Promise<void> => {
    const post = postOf(demoPost, start, placed, people);
    // A deleted post whose votes are not swept yet must not come back while they are.
    if (deleted.has(post.postId)) return;
    const found = await findEither(post.postId);
    // What belongs to a post that was merged is at another one by now.
    if (found.merged) return;
    if (!found.post) {
      const outcome = await posts.add(post);
      if (outcome !== "added") throw new Error(`The demo's post ${post.title} cannot be created: ${outcome}`);
    }
    await castVotes(post.postId, supporters, demoPost, start);
    for (const comment of commentsOf(demoPost, post.postId, start, people)) {
      if (await comments.find(comment)) continue;
      if ((await addComment(comment)) === "no such post") throw new Error(`The demo's post ${post.postId} is gone`);
    }
    await decide(post.postId, decisionsOf(demoPost, start), placed, people.get("moderator") as users.Person);
    // Every order has the post as soon as the server says where the portal is.
    await derive(post.postId);
  };
  await forEach(demo.posts, (demoPost) => load(demoPost, votersOf(demoPost, voters, people)));
  await forEach(demo.merged, async (demoPost) => {
    await load(demoPost, votersOfMerged(demoPost, voters));
    await mergeDemoPost(demoPost, start, people.get("moderator") as users.Person);
  });
  await addHeld(start, people);
  await anAccount(demo.suspended);
}

/** Works on items, 16 at a time. When it rejects, no work continues. */
async function forEach<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await patiently(() => work(item));
  };
  await allEnded(Array.from({ length: 16 }, worker));
}

/** Repeats work for which the store was too slow, as on a busy machine. */
async function patiently(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || attempt === 5) throw error;
    }
  }
}

/** When the demo starts, in milliseconds since 1970: some weeks ago, and the same moment in each load. */
export async function startOfDemo(): Promise<number> {
  const userId = await users.idOf(demo.member.email);
  return userId ? timeOf(userId) : Date.now() - demo.lastDay * DAY_MS;
}

function momentOf(start: number, day: number): number {
  return Math.min(Math.round(start + day * DAY_MS), Date.now());
}

async function account(
  { email, name, role, day, language }: demo.DemoPerson,
  start: number,
  passwordHash: string,
): Promise<users.UserRecord> {
  const { user, outcome } = await openAccount(
    () => ({ ...newAccount(email, name, role, momentOf(start, day)), language, isVerified: true }),
    (draft) => register(draft, passwordHash),
  );
  return outcome === "email taken" ? accountOf(email) : user;
}

export async function accountOf(email: string): Promise<users.UserRecord> {
  const user = await users.find((await users.idOf(email)) ?? "");
  if (!user) throw new Error(`The demo's account ${email} is gone: load the demo into a new data folder`);
  return user;
}

/** Sets the site up, unless it has an owner, who stays. */
async function setUp(start: number, passwordHash: string): Promise<void> {
  const { email, name, role } = demo.owner;
  const { outcome } = await openAccount(
    () => ({ ...newAccount(email, name, role, start), isVerified: true }),
    (owner) => site.setUp(demo.site.title, owner, passwordHash, site.firstBoard(idAt(start))),
  );
  if (outcome === "email taken")
    throw new Error(`${email} has an account that owns nothing: the demo cannot be loaded`);
  const found = await site.find();
  const isOurs = found?.ownerId === (await users.idOf(email));
  if (found && isOurs && found.description === undefined)
    await site.change(found, { description: demo.site.description });
}

/** Adds the webhook of a chat, unless there is a webhook. It is switched off, because nothing receives its messages. */
async function addWebhook(start: number): Promise<void> {
  if ((await webhooks.all()).length > 0) return;
  const { ownerId: userId = "" } = (await site.find()) ?? {};
  const about = { url: "https://chat.example/hooks/tidemark", description: "The team's chat" };
  const events = ["post.created" as const, "post.status_changed" as const];
  await webhooks.add({ webhookId: idAt(start), ...about, events, userId, isDisabled: true, failures: 0 });
}

/** Adds a post that waits for the team, and the rule by which it does, unless the owner has chosen rules. */
async function addHeld(start: number, people: Map<string, users.Person>): Promise<void> {
  const { author, day, words, title, content } = demo.held;
  const found = await site.find();
  const isOurs = found?.ownerId === (await users.idOf(demo.owner.email));
  if (!found || !isOurs || found.moderation) return;
  const id = namedIdAt(momentOf(start, day), title);
  const { userId } = people.get(author) as users.Person;
  const post = { id, kind: "post" as const, userId, title, contentMarkdown: content };
  if (!(await findHeld(id))) await hold({ ...post, reasons: ["words"] });
  await site.change(found, { moderation: changedPolicy(NOTHING_HELD, { words }) });
}

type Places = {
  boardIds: Map<string, string>;
  roadmapIds: Map<string, string>;
  tagIds: Map<string, string>;
  statuses: statuses.StatusRecord[];
};

async function placesOf(start: number): Promise<Places> {
  const found = await catalogue.read();
  const boardIds = new Map(found.boards.map(({ url, boardId }) => [url, boardId]));
  const roadmapIds = new Map(found.roadmaps.map(({ url, roadmapId }) => [url, roadmapId]));
  for (const { day, ...board } of demo.boards) {
    if (boardIds.has(board.url)) continue;
    const boardId = idAt(momentOf(start, day));
    await boards.add({ boardId, ...board, display: true, viewVoters: true, postCount: 0 });
    boardIds.set(board.url, boardId);
  }
  for (const { day, ...roadmap } of demo.roadmaps) {
    if (roadmapIds.has(roadmap.url)) continue;
    const roadmapId = idAt(momentOf(start, day));
    await roadmaps.add({ roadmapId, ...roadmap });
    roadmapIds.set(roadmap.url, roadmapId);
  }
  const tagIds = new Map(found.tags.map(({ name, tagId }) => [name, tagId]));
  for (const tag of demo.tags) {
    if (tagIds.has(tag.name)) continue;
    const tagId = namedIdAt(start, tag.name);
    await tags.add({ tagId, ...tag });
    tagIds.set(tag.name, tagId);
  }
  return { boardIds, roadmapIds, tagIds, statuses: found.statuses };
}

/** The id of a post, the same in each load. */
export function postIdOf({ key, day }: demo.DemoPost, start: number): string {
  return namedIdAt(momentOf(start, day), key);
}

function postOf(
  demoPost: demo.DemoPost,
  start: number,
  { boardIds, roadmapIds, tagIds }: Places,
  people: Map<string, users.Person>,
): posts.PostRecord {
  const postId = postIdOf(demoPost, start);
  const tagged = (demoPost.tags ?? []).flatMap((name) => tagIds.get(name) ?? []);
  return {
    postId,
    title: demoPost.title,
    slug: slugOf(demoPost.title, postId),
    contentMarkdown: demoPost.content?.join("\n"),
    author: users.shownOf(people.get(demoPost.author) as users.Person),
    boardId: boardIds.get(demoPost.board),
    roadmapId: demoPost.roadmap && roadmapIds.get(demoPost.roadmap),
    tagIds: tagged.length > 0 ? tagged.sort() : undefined,
    updatedAt: timeOf(postId),
  };
}

/** The statuses on the way to another one. */
const WAYS: Partial<Record<StatusKind, StatusKind[]>> = {
  started: ["planned", "started"],
  completed: ["planned", "started", "completed"],
};

/** A status that the team gave a post, perhaps with a response. */
type Decision = { statusId: StatusKind; at: number; text?: string };

/** How a post has come to its status, in even steps; the last one brings the response. */
function decisionsOf({ day, status, response }: demo.DemoPost, start: number): Decision[] {
  if (!status) return [];
  const way = WAYS[status] ?? [status];
  const last = response?.day ?? (day + demo.lastDay) / 2;
  const decisions = way.map((statusId, index) => {
    const at = momentOf(start, day + ((last - day) * (index + 1)) / way.length);
    return { statusId, at };
  });
  return decisions.map((each) => (each.statusId === status && response ? withText(each, response.text) : each));
}

function withText(decision: Decision, lines: string[]): Decision {
  return { ...decision, text: lines.join("\n") };
}

/** Makes the decisions on a post that were not made yet, one after the other. */
async function decide(
  postId: string,
  decisions: Decision[],
  { statuses: known }: Places,
  { userId: by }: users.Person,
): Promise<void> {
  if (decisions.length === 0) return;
  const made = await statusChanges.list(postId, { count: decisions.length, descending: true });
  for (const { statusId, at, text } of decisions.slice(made.length)) {
    const post = await posts.find(postId);
    const status = known.find((each) => each.statusId === statusId);
    if (!post || !status) continue;
    await withStoreBudget(async () => {
      accompany(() => recordOf(post, { statusId, at, by }));
      await posts.setStatus(post, status, { at, text, by });
    });
  }
}

/** Merges a post, and moves what it has; does nothing if all has moved. */
async function mergeDemoPost(
  demoPost: demo.DemoMergedPost,
  start: number,
  { userId: by }: users.Person,
): Promise<void> {
  const postId = postIdOf(demoPost, start);
  const outcome = await merge(postId, postIdOf(demo.targetOf(demoPost), start), by, { notify: false });
  if (outcome !== "merging") throw new Error(`The demo's post ${postId} cannot be merged: ${JSON.stringify(outcome)}`);
  await carryOut(postId);
}

/** Part: what the audit log says of a decision. */
function recordOf({ postId, author }: posts.PostRecord, { statusId, at, by }: Decision & { by: string }): Part {
  const recordId = namedIdAt(at, `${postId} ${statusId}`);
  const what = { item: postId, account: author.userId, to: statusId };
  return recordPart({ recordId, action: "post.status_changed", by, role: "moderator", ...what });
}

/** The people who vote for a post, in the order of their votes. Each post has a different part of the voters. */
function votersOf(post: demo.DemoPost, voters: users.Person[], people: Map<string, users.Person>): users.Person[] {
  const member = post.memberVotes ? people.get("member") : undefined;
  const ordered = inOrderOf(post, voters);
  return [...ordered.slice(0, post.votes - (member ? 1 : 0)), ...(member ? [member] : [])];
}

/** The people who have voted for a merged post: those who come next after the voters of its target. */
function votersOfMerged(post: demo.DemoMergedPost, voters: users.Person[]): users.Person[] {
  const target = demo.targetOf(post);
  return inOrderOf(target, voters).slice(target.votes, target.votes + post.votes);
}

function inOrderOf(post: demo.DemoPost, voters: users.Person[]): users.Person[] {
  const rank = new Map(
    demo.voters.map(({ email }, index) => [
      voters[index] as users.Person,
      createHash("sha256").update(`${post.key} ${email}`).digest("hex"),
    ]),
  );
  return voters.toSorted((a, b) => ((rank.get(a) ?? "") < (rank.get(b) ?? "") ? -1 : 1));
}

/**
 * Casts the votes of a post, between its creation and the end of the demo: more of them early than late, or late than
 * early.
 */
async function castVotes(
  postId: string,
  voters: users.Person[],
  { rising }: demo.DemoPost,
  start: number,
): Promise<void> {
  const from = timeOf(postId);
  const span = momentOf(start, demo.lastDay) - from;
  const { votes: cast } = await votes.readVotes(postId, demo.voters.length);
  const voted = new Set(cast.map(({ userId }) => userId));
  let asRead = await votes.summary(postId);
  for (const [index, voter] of voters.entries()) {
    if (voted.has(voter.userId)) continue;
    const part = (index + 1) / (voters.length + 1);
    const at = from + Math.floor(span * (rising ? part ** 0.2 : part ** 1.6));
    const outcome = await voting.cast(postId, { ...voter, at }, { voters: asRead });
    if (outcome === "no such post") throw new Error(`The demo's post ${postId} is gone`);
    // Once all seats are taken, a vote needs only their number.
    if (index < SEATS) asRead = await votes.summary(postId);
  }
}

function commentsOf(
  post: demo.DemoPost,
  postId: string,
  start: number,
  people: Map<string, users.Person>,
): comments.CommentRecord[] {
  const all = post.comments ?? [];
  // The same id in each load.
  const idOf = ({ key, day }: demo.DemoComment) => namedIdAt(momentOf(start, day), `${post.key} ${key}`);
  return all.map((comment) => {
    const answered = all.find(({ key }) => key === comment.answers);
    return {
      postId,
      commentId: idOf(comment),
      author: users.shownOf(people.get(comment.author) as users.Person),
      body: comment.text.join("\n"),
      isInternal: comment.internal ?? false,
      ...(answered && { parentId: idOf(answered) }),
    };
  });
}
