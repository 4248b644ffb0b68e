import { createHash } from "node:crypto";
import * as users from "../../../lib/accounts/users.ts";
import type * as statuses from "../../../lib/catalogue/statuses.ts";
import { idsOf } from "../../../lib/catalogue/tags.ts";
import { derive } from "../../../lib/cleanup/derived-rows.ts";
import { carryOut } from "../../../lib/cleanup/merges.ts";
import { recordPart } from "../../../lib/events/audit-part.ts";
import { addComment } from "../../../lib/posts/comment-changes.ts";
import * as comments from "../../../lib/posts/comments.ts";
import { findEither } from "../../../lib/posts/merged-posts.ts";
import { merge } from "../../../lib/posts/merging.ts";
import * as posts from "../../../lib/posts/posts.ts";
import * as reports from "../../../lib/posts/reports.ts";
import * as statusChanges from "../../../lib/posts/status-changes.ts";
import { withStoreBudget } from "../../../lib/runtime/store-budget.ts";
import { accompany } from "../../../lib/table/companion.ts";
import type { Part } from "../../../lib/table/parts.ts";
import { namedIdAt, timeOf } from "../../../lib/values/ids.ts";
import { slugOf } from "../../../lib/values/slugs.ts";
import type { StatusKind } from "../../../lib/values/statuses.ts";
import { SEATS } from "../../../lib/votes/seats.ts";
import * as votes from "../../../lib/votes/votes.ts";
import * as voting from "../../../lib/votes/voting.ts";
import * as demo from "./demo-set.ts";
import { momentOf } from "./people.ts";

// A post of the demo with its votes, comments and decisions. Each step looks for what is there.

/** What the posts need: when the demo starts, its people by their names in the set, and where posts are placed. */
export type Demo = { start: number; people: Map<string, users.Person>; placed: Places };

export type Places = {
  boardIds: Map<string, string>;
  roadmapIds: Map<string, string>;
  tagIds: Map<string, string>;
  statuses: statuses.StatusRecord[];
};

function personOf({ people }: Demo, name: string): users.Person {
  return people.get(name) as users.Person;
}

/** Writes what is missing of a post, unless it was merged. */
export async function loadPost(demoPost: demo.DemoPost, supporters: users.Person[], of: Demo): Promise<void> {
  const post = postOf(demoPost, of);
  const found = await findEither(post.postId);
  // What belongs to a post that was merged is at another one by now.
  if (found.merged) return;
  if (!found.post) {
    const outcome = await posts.add(post);
    if (outcome !== "added") throw new Error(`The demo's post ${post.title} cannot be created: ${outcome}`);
  }
  await castVotes(post.postId, supporters, demoPost, of.start);
  for (const comment of commentsOf(demoPost, post.postId, of)) {
    if (await comments.find(comment)) continue;
    if ((await addComment(comment)) === "no such post") throw new Error(`The demo's post ${post.postId} is gone`);
  }
  await reportComments(demoPost, post.postId, of);
  await decide(post.postId, decisionsOf(demoPost, of.start), of);
  await mark(demoPost, post.postId, of);
  // Every order has the post as soon as the server says where the portal is.
  await derive(post.postId);
}

/** The id of a post, the same in each load. */
export function postIdOf({ key, day }: demo.DemoPost, start: number): string {
  return namedIdAt(momentOf(start, day), key);
}

function postOf(demoPost: demo.DemoPost, of: Demo): posts.PostRecord {
  const postId = postIdOf(demoPost, of.start);
  const { boardIds, roadmapIds, tagIds } = of.placed;
  return {
    postId,
    title: demoPost.title,
    slug: slugOf(demoPost.title, postId),
    contentMarkdown: demoPost.content?.join("\n"),
    author: users.shownOf(personOf(of, demoPost.author)),
    boardId: boardIds.get(demoPost.board),
    roadmapId: demoPost.roadmap && roadmapIds.get(demoPost.roadmap),
    tagIds: idsOf((demoPost.tags ?? []).flatMap((name) => tagIds.get(name) ?? [])),
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
async function decide(postId: string, decisions: Decision[], of: Demo): Promise<void> {
  if (decisions.length === 0) return;
  const { userId: by } = personOf(of, "moderator");
  const made = await statusChanges.list(postId, { count: decisions.length, descending: true });
  for (const { statusId, at, text } of decisions.slice(made.length)) {
    const post = await posts.find(postId);
    const status = of.placed.statuses.find((each) => each.statusId === statusId);
    if (!post || !status) continue;
    await withStoreBudget(async () => {
      accompany(() => recordOf(post, { statusId, at, by }));
      await posts.setStatus(post, status, { at, text, by });
    });
  }
}

/** Pins and locks a post as the set says: behind its comments, which a locked post would not take. */
async function mark({ pinned, locked }: demo.DemoPost, postId: string, of: Demo): Promise<void> {
  for (const [field, day] of [["isPinned", pinned] as const, ["isLocked", locked] as const]) {
    const post = day !== undefined && (await posts.find(postId));
    if (!post || post[field]) continue;
    const { userId: by } = personOf(of, "moderator");
    const at = momentOf(of.start, day);
    await withStoreBudget(async () => {
      accompany(() => markRecordOf(post, { field, at, by }));
      // If an earlier owner has pinned as many as there may be, these stay.
      await posts.change(post, () => ({ [field]: true }), by, { at });
    });
  }
}

/** Merges a post, and moves what it has; does nothing if all has moved. */
export async function mergePost(demoPost: demo.DemoMergedPost, of: Demo): Promise<void> {
  const postId = postIdOf(demoPost, of.start);
  const { userId: by } = personOf(of, "moderator");
  const outcome = await merge(postId, postIdOf(demo.targetOf(demoPost), of.start), by, { notify: false });
  if (outcome !== "merging") throw new Error(`The demo's post ${postId} cannot be merged: ${JSON.stringify(outcome)}`);
  await carryOut(postId);
}

/** Part: what the audit log says of a decision. */
function recordOf({ postId, author }: posts.PostRecord, { statusId, at, by }: Decision & { by: string }): Part {
  const recordId = namedIdAt(at, `${postId} ${statusId}`);
  const what = { item: postId, account: author.userId, to: statusId };
  return recordPart({ recordId, action: "post.status_changed", by, role: "moderator", ...what });
}

/** Part: what the audit log says of a pin or a lock. */
function markRecordOf(
  { postId, author }: posts.PostRecord,
  { field, at, by }: { field: string; at: number; by: string },
): Part {
  const what = { item: postId, account: author.userId, changed: [field === "isPinned" ? "pinned" : "locked"] };
  return recordPart({
    recordId: namedIdAt(at, `${postId} ${field}`),
    action: "post.updated",
    by,
    role: "moderator",
    ...what,
  });
}

/** The people who vote for a post, in the order of their votes. Each post has a different part of the voters. */
export function votersOf(post: demo.DemoPost, voters: users.Person[], of: Demo): users.Person[] {
  const member = post.memberVotes ? personOf(of, "member") : undefined;
  const ordered = inOrderOf(post, voters);
  return [...ordered.slice(0, post.votes - (member ? 1 : 0)), ...(member ? [member] : [])];
}

/** The people who have voted for a merged post: those who come next after the voters of its target. */
export function votersOfMerged(post: demo.DemoMergedPost, voters: users.Person[]): users.Person[] {
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

/** The id of a comment, the same in each load. */
function commentIdOf(post: demo.DemoPost, { key, day }: demo.DemoComment, { start }: Demo): string {
  return namedIdAt(momentOf(start, day), `${post.key} ${key}`);
}

function commentsOf(post: demo.DemoPost, postId: string, of: Demo): comments.CommentRecord[] {
  const all = post.comments ?? [];
  const idOf = (comment: demo.DemoComment) => commentIdOf(post, comment, of);
  return all.map((comment) => {
    const answered = all.find(({ key }) => key === comment.answers);
    return {
      postId,
      commentId: idOf(comment),
      author: users.shownOf(personOf(of, comment.author)),
      body: comment.text.join("\n"),
      isInternal: comment.internal ?? false,
      ...(answered && { parentId: idOf(answered) }),
    };
  });
}

/** Reports comments to the team, unless who does has reported them before. */
async function reportComments(post: demo.DemoPost, postId: string, of: Demo): Promise<void> {
  for (const comment of post.comments ?? []) {
    if (!comment.reported) continue;
    const found = await comments.find({ postId, commentId: commentIdOf(post, comment, of), isInternal: false });
    if (!found) continue;
    const { by, reason } = comment.reported;
    const waiting = await reports.find(found.commentId);
    await reports.report(reports.reportableComment(found), waiting, personOf(of, by).userId, reason);
  }
}
