import type * as z from "zod/mini";
import type { LinkedIdentity } from "../accounts/identities.ts";
import type { Policy } from "../accounts/moderation-policy.ts";
import type { Site } from "../accounts/site.ts";
import type { TwoFactor } from "../accounts/two-factor.ts";
import type { UserRecord } from "../accounts/users.ts";
import type { ShownBoard } from "../catalogue/catalogue.ts";
import type { RoadmapRecord } from "../catalogue/roadmaps.ts";
import type { StatusRecord } from "../catalogue/statuses.ts";
import type { TagRecord } from "../catalogue/tags.ts";
import type { CommentRecord } from "../posts/comments.ts";
import type { Held } from "../posts/held.ts";
import type { MergedPost } from "../posts/merged-posts.ts";
import type { Choice } from "../posts/moving-subscriptions.ts";
import type { PostRecord } from "../posts/posts.ts";
import type { StatusChange } from "../posts/status-changes.ts";
import { createdAt, timeOf } from "../values/ids.ts";
import type { StatusLetter } from "../values/statuses.ts";
import type { MovedVote } from "../votes/moved-votes.ts";
import type { VoteRecord } from "../votes/votes.ts";
import type { OwnRows } from "./form.ts";

// What is stored, as rows of an export (form.ts): each with its fields in the same order each time.

/** What rows name: accounts, boards, roadmaps and tags that stand above, and the statuses of letters. */
export type Known = {
  account: (userId: string | undefined) => string | undefined;
  board: (boardId: string | undefined) => string | undefined;
  roadmap: (roadmapId: string | undefined) => string | undefined;
  tag: (tagId: string | undefined) => string | undefined;
  statuses: StatusRecord[];
};

/** A row without the fields that have no value. */
function row<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

function timeText(milliseconds: number | undefined): string | undefined {
  return milliseconds === undefined ? undefined : new Date(milliseconds).toISOString();
}

/** The id of the status that a letter stood for at a moment; undefined if it has been deleted. */
function statusAt(statuses: StatusRecord[], letter: StatusLetter | undefined, at: number): string | undefined {
  return statuses.find((each) => each.letter === letter && (each.since ?? 0) <= at)?.statusId;
}

export function statusRow({ statusId, name, color, kind, archived, since }: StatusRecord): OwnRows["status"] {
  return row<OwnRows["status"]>({
    kind: "status",
    ref: statusId,
    name,
    color,
    category: kind,
    archived,
    since: timeText(since),
  });
}

export function boardRow({ boardId, name, description, url, color, display, viewVoters }: ShownBoard) {
  const shown = { name, description, url, color, display, viewVoters };
  return row<OwnRows["board"]>({ kind: "board", ref: boardId, ...shown });
}

export function roadmapRow({ roadmapId, name, url, color, display, index }: RoadmapRecord) {
  return row<OwnRows["roadmap"]>({ kind: "roadmap", ref: roadmapId, name, url, color, display, index });
}

export function tagRow({ tagId, name, color }: TagRecord): OwnRows["tag"] {
  return { kind: "tag", ref: tagId, name, color };
}

/** What lets people into an account. */
export type Secrets = {
  passwordHash: string | undefined;
  twoFactor: TwoFactor | undefined;
  identities: LinkedIdentity[];
};

export function accountRow(user: UserRecord, secrets?: Secrets): OwnRows["account"] {
  const { userId, email, name, isUnnamed, username, role, isVerified } = user;
  const { language, mail, newPosts, digest, accepted } = user;
  return row<OwnRows["account"]>({
    kind: "account",
    ref: userId,
    email,
    name,
    unnamed: isUnnamed,
    username,
    at: createdAt(userId),
    blocked: role === "suspended" ? true : undefined,
    language,
    mail,
    newPosts,
    digest,
    accepted,
    role: role === "moderator" ? role : undefined,
    confirmed: isVerified ? true : undefined,
    passwordHash: secrets?.passwordHash,
    twoFactor: secrets?.twoFactor && sorted(secrets.twoFactor),
    identities: secrets && identitiesOf(secrets),
  });
}

/** A map has no order in the table. */
function sorted({ secret, lastStep, recovery }: TwoFactor): TwoFactor {
  const codes = Object.entries(recovery).sort(([a], [b]) => (a < b ? -1 : 1));
  return { secret, lastStep, recovery: Object.fromEntries(codes) };
}

function identitiesOf({ identities }: Secrets): OwnRows["account"]["identities"] {
  if (identities.length === 0) return undefined;
  return identities.map(({ identityId, issuer, linkedAt }) => ({ issuer, linkedAt, ref: identityId }));
}

/** A map has no order in the table. */
function policyOf({ posts, comments, links, words, since }: Policy): Policy {
  return { posts, comments, links, words, since };
}

/** Something that waits for the team; undefined if its author is gone. */
export function heldRow(held: Held, { account, board }: Known): OwnRows["held"] | undefined {
  const author = account(held.userId);
  if (author === undefined) return undefined;
  const common = { kind: "held" as const, ref: held.id, what: held.kind, author, reasons: held.reasons };
  if (held.kind === "post") {
    const { title, contentMarkdown: body, boardId } = held;
    return row<OwnRows["held"]>({
      ...common,
      title,
      body,
      board: board(boardId),
      onPost: undefined,
      parent: undefined,
    });
  }
  const { body, postId: onPost, parentId: parent } = held;
  return row<OwnRows["held"]>({ ...common, title: undefined, body, board: undefined, onPost, parent });
}

/** The secret of the product and the providers stay behind, so people sign in by a mail where they had only these. */
export function siteRow(site: Site): OwnRows["site"] {
  return row<OwnRows["site"]>({
    kind: "site",
    owner: site.ownerId,
    title: site.title,
    description: site.description,
    logo: site.logo,
    icon: site.icon,
    accentColor: site.accentColor,
    allowSignup: site.allowSignup,
    signupDomains: site.signupDomains,
    blockedMailDomains: site.blockedMailDomains,
    password: site.password,
    magic: site.magic || !site.password,
    requireTwoFactor: site.requireTwoFactor ? true : undefined,
    googleAnalyticsId: site.googleAnalyticsId,
    developerMode: site.developerMode,
    voteOnBehalf: site.voteOnBehalf,
    firstSteps: site.firstSteps.length > 0 ? site.firstSteps : undefined,
    moderation: site.moderation && policyOf(site.moderation),
  });
}

export function postRow(post: PostRecord, otherSlugs: string[], known: Known): OwnRows["post"] {
  const { postId: ref, isPinned: pinned } = post;
  return row<OwnRows["post"]>({ kind: "post", ref, pinned, ...fieldsOfPost(post, otherSlugs, known) });
}

/** A post that was merged, below the post `end` in which it continues. */
export function mergedRow(
  { post, into, mergedAt, mergedBy }: MergedPost,
  end: string,
  otherSlugs: string[],
  known: Known,
): OwnRows["merged"] {
  return row<OwnRows["merged"]>({
    kind: "merged",
    ref: post.postId,
    post: end,
    into,
    mergedAt: new Date(mergedAt).toISOString(),
    mergedBy: known.account(mergedBy),
    ...fieldsOfPost(post, otherSlugs, known),
  });
}

/** What is kept of a vote that a merge has moved. */
export function movedVoteRow(
  post: string,
  { voteId, was, by, inherits }: MovedVote,
  { account }: Known,
): OwnRows["moved"] {
  return row<OwnRows["moved"]>({ kind: "moved", post, ref: voteId, what: "vote", was, by: account(by), inherits });
}

export function followRow(post: string, { sk, on, from }: z.output<typeof Choice>): OwnRows["follow"] {
  return row<OwnRows["follow"]>({ kind: "follow", post, account: sk, on, from });
}

function fieldsOfPost(post: PostRecord, otherSlugs: string[], known: Known) {
  const { postId, title, contentMarkdown, author, by, boardId, roadmapId, status, updatedAt, slug, oldSlugs } = post;
  const { response, tagIds = [] } = post;
  const tags = tagIds.filter((tagId) => known.tag(tagId) !== undefined);
  return {
    title,
    body: contentMarkdown,
    author: known.account(author.userId),
    by: known.account(by),
    board: known.board(boardId),
    roadmap: known.roadmap(roadmapId),
    status: statusAt(known.statuses, status, Number.POSITIVE_INFINITY) ?? "open",
    locked: post.isLocked,
    tags: tags.length > 0 ? tags : undefined,
    at: createdAt(postId),
    updatedAt: new Date(updatedAt).toISOString(),
    slug,
    earlierSlugs: oldSlugs,
    otherSlugs: otherSlugs.length > 0 ? otherSlugs : undefined,
    response: response?.text,
    responseAt: timeText(response?.at),
    responseStatus: response && statusAt(known.statuses, response.status, response.at),
    responseBy: known.account(response?.by),
  };
}

export function voteRow(post: string, { voteId, userId, by }: VoteRecord, { account }: Known): OwnRows["vote"] {
  const at = createdAt(voteId);
  return row<OwnRows["vote"]>({ kind: "vote", ref: voteId, post, voter: account(userId), by: account(by), at });
}

export function commentRow(comment: CommentRecord, wasPublic: boolean, { account }: Known): OwnRows["comment"] {
  const { commentId, postId, author, body, parentId, isInternal, editedAt, editedBy, from } = comment;
  return row<OwnRows["comment"]>({
    kind: "comment",
    ref: commentId,
    post: postId,
    author: account(author.userId),
    body,
    parent: parentId,
    internal: isInternal,
    wasPublic: isInternal && wasPublic ? true : undefined,
    at: createdAt(commentId),
    editedAt: timeText(editedAt),
    editedBy: account(editedBy),
    from,
  });
}

export function changeRow(change: StatusChange, { statuses, account }: Known): OwnRows["change"] {
  const { changeId, postId, from, to, by } = change;
  const at = timeOf(changeId);
  return row<OwnRows["change"]>({
    kind: "change",
    ref: changeId,
    post: postId,
    from: statusAt(statuses, from, at),
    to: statusAt(statuses, to, at),
    by: account(by),
    at: createdAt(changeId),
  });
}
