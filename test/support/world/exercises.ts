import * as apiKeys from "../../../lib/accounts/api-keys.ts";
import * as erasures from "../../../lib/accounts/erasures.ts";
import * as exports from "../../../lib/accounts/exports.ts";
import * as identities from "../../../lib/accounts/identities.ts";
import * as mailTokens from "../../../lib/accounts/mail-tokens.ts";
import * as newAddress from "../../../lib/accounts/new-address.ts";
import * as outbox from "../../../lib/accounts/outbox.ts";
import * as preferences from "../../../lib/accounts/preferences.ts";
import * as signInMails from "../../../lib/accounts/sign-in-mails.ts";
import * as site from "../../../lib/accounts/site.ts";
import * as twoFactor from "../../../lib/accounts/two-factor.ts";
import { tokensOf } from "../../../lib/accounts/unsubscribe-tokens.ts";
import * as users from "../../../lib/accounts/users.ts";
import { findOrOpen } from "../../../lib/auth/accounts.ts";
import { readKey } from "../../../lib/auth/api-keys.ts";
import * as challenges from "../../../lib/auth/challenges.ts";
import { type BackgroundFunction, findWaiting } from "../../../lib/background.ts";
import * as boards from "../../../lib/catalogue/boards.ts";
import { derive } from "../../../lib/cleanup/derived-rows.ts";
import type { Endpoint } from "../../../lib/endpoint.ts";
import { entryKey } from "../../../lib/moving/journal.ts";
import { changeComment } from "../../../lib/posts/comment-changes.ts";
import * as posts from "../../../lib/posts/posts.ts";
import * as subscriptions from "../../../lib/posts/subscriptions.ts";
import type { TableAccess } from "../../../lib/table/access.ts";
import { setFields } from "../../../lib/table/changes.ts";
import * as due from "../../../lib/table/due.ts";
import { type Key, key } from "../../../lib/table/keys.ts";
import { create } from "../../../lib/table/parts.ts";
import { boardList, nameOf } from "../../../lib/table/post-lists.ts";
import { removeAlone } from "../../../lib/table/single-writes.ts";
import { fence, transact } from "../../../lib/table/transactions.ts";
import { dayAt, monthOf } from "../../../lib/values/days.ts";
import { newId } from "../../../lib/values/ids.ts";
import { SEATS } from "../../../lib/votes/seats.ts";
import { giveBack } from "../../../lib/webhooks/webhooks.ts";
import { endpointNamed, invoke, type Request, recordsOf } from "../http/invoke.ts";
import { freshTable, newContainer } from "../setup.ts";
import { recordCalls, type StoreCall, type Touch, verbOf } from "../store/calls.ts";
import { addPosts } from "./bulk.ts";
import { aLinkedIdentity, aWorld, byProduct, byProvider, exampleOf, type World } from "./examples.ts";
import {
  aBoard,
  aComment,
  aKey,
  aMember,
  aPost,
  aReader,
  aRecord,
  aRoadmap,
  aUser,
  aVote,
  aWebhook,
  type Person,
  postOf,
  settleCatalogue,
  strangersVote,
} from "./fixtures.ts";
import { aCommentReport, aHeldComment, aHeldPost, aReport, setPolicy } from "./held.ts";
import { aMergedPost, aReturningVote, aWaitingVote, leaveMoves, leaveWaiting, mergeInto } from "./merges.ts";
import { outdatedHash } from "./passwords.ts";
import { codeNow, withTwoFactor } from "./two-factor.ts";

// Requests which together make an endpoint use all that its definition lets it do to the table.

type Requests = (world: World) => Promise<Request[]>;

/** A call that names a merged post. */
async function onMergedPost(author: users.Person): Promise<Request[]> {
  return [{ params: { postId: (await aMergedPost(author)).duplicate.postId } }];
}

/** A reported comment that the team has made a note since; returns its id. */
async function aReportedNote(postId: string, author: users.Person, by: users.Person, owner: users.Person) {
  const comment = await aComment(postId, author);
  await aCommentReport(comment, by);
  await changeComment(comment, async () => comment, { isInternal: true, by: owner.userId });
  return comment.commentId;
}

/** A call that names a comment by the merged post that it came from. */
async function onMovedComment(author: users.Person) {
  const target = await aPost(author, { boardId: (await aBoard()).boardId });
  const duplicate = await aPost(author);
  const { commentId } = await aComment(duplicate.postId, author);
  await mergeInto(duplicate, target.postId);
  return [{ params: { postId: duplicate.postId, commentId } }];
}

function onNote(request: (ids: { postId: string; commentId: string }) => Request): Requests {
  return async ({ author, owner }) => {
    const { postId } = await aPost(author);
    const { commentId } = await aComment(postId, owner, { isInternal: true });
    return [request({ postId, commentId })];
  };
}

/** On a post with a vote, which has a seat, and seven more. */
function onManyVotes(voter: "owner" | "member", request: (postId: string, world: World) => Request): Requests {
  return async (world) => {
    const { postId } = await aPost(world.author);
    await aVote(postId, world[voter]);
    await strangersVote(postId, 7);
    return [request(postId, world)];
  };
}

/** The same request twice, under one key: the second call finds what the first one made. */
function twice(body: (world: World) => Promise<object>): Requests {
  return async (world) => {
    const request = { headers: { "idempotency-key": newId() }, body: await body(world) };
    return [request, request];
  };
}

/** The requests of a browser for the page of each kind of link in mails. */
async function pagesOfLinks(reader: Person): Promise<Request[]> {
  const { postId } = await aPost(reader, { boardId: (await aBoard()).boardId });
  const token = await tokensOf(reader.userId);
  const headers = { accept: "text/html" };
  return [postId, "all", "new-posts", "digest"].map((scope) => ({ headers, query: { token: token(scope) } }));
}

const IDENTITY = { issuer: "https://id.example", subject: "somebody" };

/** Further requests of the owner, for endpoints that do not use all of their rights in one. */
/** The body of an endpoint's example. */
function exampleBody(name: string) {
  return async (world: World) => (await exampleOf(endpointNamed(name)).make(world)).body as object;
}

const further: Record<string, Requests> = {
  "posts-list": async ({ author, owner, board }) => {
    // A voter of a post with more votes than its voters item names: the caller's vote has to be looked up.
    const { postId } = await aPost(author, { boardId: board.boardId });
    await strangersVote(postId, 7);
    await aVote(postId, owner);
    await derive(postId);
    const ranked = ["top", "trending"].flatMap((sort) => [{ sort }, { sort, page: 2, limit: 1 }]);
    return [{}, { boardId: board.boardId }, { page: 2, limit: 1 }, ...ranked].map((body) => ({ body }));
  },
  "posts-status-changes": async ({ author }) => {
    await posts.setStatus(await aPost(author), { letter: "a" });
    return [{ query: {} }];
  },
  "posts-by-slug": async ({ author }) => {
    const { duplicate } = await aMergedPost(author);
    return [{ body: { slug: "of-another-portal" } }, { body: { slug: duplicate.slug } }];
  },
  "posts-by-id": ({ author }) => onMergedPost(author),
  "posts-follow": async ({ author }) => {
    const { postId } = (await aMergedPost(author)).duplicate;
    return [{ params: { postId }, body: { isFollowing: true } }];
  },
  "audit-list": async ({ author, owner }) => {
    const { duplicate, target } = await aMergedPost(author);
    await aRecord(owner, { action: "post.merged", item: duplicate.postId, to: target.postId });
    await aRecord(owner, { action: "provider.tested", item: newId(), account: author.userId });
    return [{ query: {} }];
  },
  // Only what the team does is recorded.
  "users-end-two-factor": async ({ moderator }) => {
    const { person, secret } = await withTwoFactor(moderator);
    return [{ token: person.token, body: { code: codeNow(secret) } }];
  },
  "posts-merged": async ({ author }) => [{ params: { postId: (await aMergedPost(author)).target.postId }, query: {} }],
  "posts-waiting": async ({ author }) => {
    const { postId } = await aPost(author);
    await strangersVote(postId, SEATS + 1);
    return [{ query: {} }];
  },
  "users-posts": async ({ author }) => {
    const { postId } = await aPost(author);
    await strangersVote(postId, SEATS + 1);
    return [{ token: author.token }];
  },
  "users-posts-of": async ({ author }) => {
    const { postId } = await aPost(author);
    await strangersVote(postId, SEATS + 1);
    return [{ params: { userId: author.userId } }];
  },
  "users-votes": async ({ author }) => {
    const { postId } = await aPost(author);
    await strangersVote(postId, SEATS + 1);
    await aVote(postId, author);
    return [{ token: author.token }];
  },
  "users-follows": async ({ author }) => {
    const { postId } = await aPost(author);
    await strangersVote(postId, SEATS + 1);
    await subscriptions.choose(author.userId, postId, true);
    return [{ token: author.token }];
  },
  "posts-search": async ({ author, owner }) => {
    const { postId } = await aPost(author, { title: "Bright mode" });
    await derive(postId);
    await strangersVote(postId, SEATS + 1);
    await aVote(postId, owner);
    return [{ body: { query: "bright" } }];
  },
  "posts-similar": async ({ author, owner }) => {
    const { postId } = await aPost(author, { title: "Louder mode" });
    await derive(postId);
    await strangersVote(postId, SEATS + 1);
    await aVote(postId, owner);
    return [{ body: { title: "louder mode" } }];
  },
  "comments-create": async (world) => {
    const onOne = onNote(({ postId, commentId }) => ({
      params: { postId },
      body: { body: "A note", is_internal: true, parent_id: commentId },
    }));
    const { postId } = (await aMergedPost(world.author)).duplicate;
    await setPolicy({ comments: "first", since: Date.now() + 60_000 });
    const first = { token: world.member.token, params: { postId }, body: { body: "My first" } };
    return [...(await onOne(world)), { params: { postId }, body: { body: "A comment" } }, first];
  },
  "comments-update": async ({ author, owner }) => {
    const { postId } = await aPost(author);
    const { commentId } = await aComment(postId, owner);
    const put = (body: string, is_internal: boolean) => ({
      params: { postId, commentId },
      body: { body, is_internal },
    });
    const reply = await aComment(postId, author, { parentId: commentId });
    const own = { token: author.token, params: { postId, commentId: reply.commentId }, body: { body: "My reply" } };
    const onMerged = (await onMovedComment(author)).map(({ params }) => ({ params, body: { body: "Once more" } }));
    await setPolicy({ links: true, since: Date.now() + 60_000 });
    const link = { ...own, body: { body: "https://example.com" } };
    return [put("A note", true), put("Another note", true), own, put("A comment", false), ...onMerged, link];
  },
  "comments-delete": async (world) => [
    ...(await onNote((params) => ({ params }))(world)),
    ...(await onMovedComment(world.author)),
  ],
  "comments-by-id": async (world) => [
    ...(await onNote((params) => ({ params }))(world)),
    ...(await onMovedComment(world.author)),
  ],
  "comments-list": ({ author }) => onMergedPost(author),
  "posts-votes": ({ author }) => onMergedPost(author),
  "posts-subscription": ({ author }) => onMergedPost(author),
  "votes-add": async (world) => {
    const onOne = twice(async ({ author }) => ({ postId: (await aPost(author)).postId }));
    const { postId } = (await aMergedPost(world.author)).duplicate;
    return [...(await onOne(world)), { body: { postId } }];
  },
  "votes-assign": async ({ author }) => {
    const { postId } = (await aMergedPost(author)).duplicate;
    return [{ params: { postId, userId: (await aMember()).userId } }];
  },
  "votes-remove": async (world) => {
    const onOne = onManyVotes("owner", (postId) => ({ body: { postId } }));
    const { postId } = (await aMergedPost(world.author)).duplicate;
    const { postId: regaining } = await aReturningVote(world.author, world.owner);
    const { postId: inherited } = await aReturningVote(world.author, world.owner, { hasHeir: true });
    const { postId: incoming } = await aWaitingVote(world.author, world.owner);
    return [
      ...(await onOne(world)),
      ...[postId, regaining, inherited, incoming].map((each) => ({ body: { postId: each } })),
    ];
  },
  "users-unsubscribe": async ({ author }) => {
    const { postId } = await aPost(author);
    const token = await tokensOf(author.userId);
    return [{ query: { token: token(postId) } }, ...(await pagesOfLinks(author))];
  },
  "users-update-notifications": async ({ member }) => {
    const body = { status: true, comments: false, replies: true };
    return [{ body: { ...body, newPosts: false, digest: false } }, { token: member.token, body }];
  },
  "users-unsubscription": ({ author }) => pagesOfLinks(author),
  "votes-unassign": async (world) => {
    const { userId } = world.member;
    const onOne = onManyVotes("member", (postId) => ({ params: { postId, userId } }));
    const { postId } = (await aMergedPost(world.author)).duplicate;
    const { postId: regaining } = await aReturningVote(world.author, world.member);
    const { postId: inherited } = await aReturningVote(world.author, world.member, { hasHeir: true });
    const { postId: incoming } = await aWaitingVote(world.author, world.member);
    return [
      ...(await onOne(world)),
      ...[postId, regaining, inherited, incoming].map((each) => ({ params: { postId: each, userId } })),
    ];
  },
  "auth-log-in": async ({ member }) => {
    const password = "correct horse";
    await users.rehash(member.userId, "no password", outdatedHash(password));
    return [{ headers: { "accept-language": "de" }, body: { email: member.email, password } }];
  },
  "auth-email-validate": async () => {
    const reader = await aReader();
    const address = `new.${reader.email}`;
    await newAddress.ask({ ...reader, isVerified: true }, address);
    const token = await mailTokens.issue("verify-email", { ...reader, email: address });
    return [{ token: reader.token, body: { token } }];
  },
  "users-change-email": async () => {
    const reader = await aReader();
    return [`new.${reader.email}`, reader.email].map((email) => ({ token: reader.token, body: { email } }));
  },
  "keys-create": twice(async () => ({ name: "Twice", scopes: ["post:create"] })),
  "providers-create": twice(exampleBody("providers-create")),
  "webhooks-create": twice(exampleBody("webhooks-create")),
  "auth-password-set": async ({ moderator: fresh }) => {
    const { person: moderator } = await withTwoFactor(fresh);
    await aKey(moderator);
    await identities.link(IDENTITY, moderator);
    const token = await mailTokens.issue("reset-password", moderator);
    return [{ body: { token, password: "another good horse" } }];
  },
  "auth-magic-verify": async ({ member, moderator: fresh }) => {
    const { person: moderator } = await withTwoFactor(fresh);
    await aKey(moderator);
    await identities.link(IDENTITY, moderator);
    const ofMember = await signInMails.issue({ email: member.email, askedFrom: "elsewhere" });
    const ofModerator = await signInMails.issue({ email: moderator.email, askedFrom: "elsewhere" });
    // The second time the account is confirmed.
    const again = await signInMails.issue({ email: member.email, askedFrom: "elsewhere" });
    return [
      { body: { token: ofMember.token } },
      { body: { email: moderator.email, code: ofModerator.code } },
      { body: { token: again.token } },
    ];
  },
  "auth-oidc": async ({ member: fresh, moderator }) => {
    const { person: member } = await withTwoFactor(fresh);
    await aKey(member);
    await identities.link(IDENTITY, member);
    // An account that was never confirmed, and a known identity.
    const taken = await byProvider({ sub: "holder", email: member.email });
    const again = await byProvider({ sub: "holder", email: moderator.email });
    return [taken, again];
  },
  "auth-sso": async ({ member: fresh, moderator }) => {
    const { person: member } = await withTwoFactor(fresh);
    await aKey(member);
    await identities.link(IDENTITY, member);
    const taken = await byProduct({ id: "holder", email: member.email });
    const again = await byProduct({ id: "holder", email: moderator.email });
    return [{ body: { token: taken } }, { body: { token: again } }];
  },
  // The second secret replaces the first.
  "sso-rotate": async () => [{}],
  "users-identities": async ({ member }) => {
    await aLinkedIdentity(member);
    return [{ token: member.token }];
  },
  "auth-two-factor": async ({ member }) => {
    const { recoveryCodes, challenge } = await withTwoFactor(await aMember());
    const secret = await twoFactor.enrol(member.userId);
    return [
      { body: { challenge, code: recoveryCodes[0] as string } },
      { body: { challenge: await challenges.issue(member), code: codeNow(secret) } },
    ];
  },
  "users-update": async ({ owner, moderator }) => {
    await aKey(moderator);
    // Whether a person without a password could sign in as the owner takes the most reads.
    const { user: heir } = await findOrOpen(undefined, { email: "heir@example.com", name: "Heir", by: owner.userId });
    await transact({ user: setFields(key.user(heir.userId), { isVerified: true }) });
    await identities.link(IDENTITY, heir);
    await site.change((await site.find()) as site.Site, { requireTwoFactor: true });
    const { userId } = await aMember();
    return [
      { params: { userId: moderator.userId }, body: { role: "member" } },
      { token: owner.token, params: { userId }, body: { role: "moderator" } },
      { token: owner.token, params: { userId: heir.userId }, body: { role: "owner" } },
    ];
  },
  "users-export": async ({ moderator }) => {
    const { postId } = await aPost(moderator);
    await aMergedPost(moderator);
    await aComment(postId, moderator);
    await subscriptions.choose(moderator.userId, postId, true);
    await identities.link(IDENTITY, moderator);
    await aHeldPost(moderator);
    await aReport(await aPost(await aMember()), moderator);
    return [{ token: moderator.token }];
  },
  "users-delete-profile": async ({ moderator, member }) => {
    await aKey(moderator);
    await identities.link(IDENTITY, member);
    return [{ token: moderator.token }, { token: member.token }];
  },
  "users-delete": async ({ moderator, member }) => {
    await aKey(moderator);
    await identities.link(IDENTITY, member);
    return [{ params: { userId: moderator.userId } }, { params: { userId: member.userId } }];
  },
  "users-list": async ({ member, moderator }) => [
    { query: {} },
    { query: { userId: member.userId } },
    { query: { email: member.email } },
    { query: { q: "a" } },
    { query: { email: moderator.email, group: "team" } },
  ],
  "settings-update": async () => [{ body: { allowSignup: false } }],
  "posts-create": async ({ author, member }) => {
    // The member is older than the policy: what they wrote before is looked up.
    await setPolicy({ posts: "first", since: Date.now() + 60_000 });
    return [
      { body: { title: "On behalf", authorId: author.userId } },
      { token: member.token, body: { title: "My first" } },
    ];
  },
  "posts-report": async ({ author, member }) => {
    const { postId } = (await aMergedPost(author)).duplicate;
    const post = await aPost(author);
    await aReport(post, member);
    return [{ params: { postId } }, { params: { postId: post.postId }, body: {} }];
  },
  "comments-report": async ({ author, member }) => {
    const { postId } = await aPost(author);
    const { commentId } = await aComment(postId, author);
    await aCommentReport({ postId, commentId }, member);
    const { duplicate, target } = await aMergedPost(author);
    const there = await aComment(target.postId, author);
    return [
      { params: { postId, commentId }, body: {} },
      { params: { postId: duplicate.postId, commentId: there.commentId } },
    ];
  },
  "moderation-list": async ({ author, member, owner }) => {
    await aReportedNote((await aPost(author)).postId, author, member, owner);
    return [{ query: {} }];
  },
  "users-held": async ({ author }) => {
    const { duplicate } = await aMergedPost(author);
    const person = await aMember();
    await aHeldComment(duplicate.postId, person);
    return [{ token: person.token }];
  },
  "moderation-decide": async ({ author, member, moderator, owner, board: { boardId }, roadmap: { roadmapId } }) => {
    const withoutBoard = await aHeldPost(author);
    const comment = await aHeldComment((await aPost(owner)).postId, author);
    const spammer = await aMember();
    await aKey(spammer);
    const post = await aPost(spammer, { boardId, roadmapId, isPinned: true });
    const noted = await aReportedNote((await aPost(author)).postId, spammer, member, owner);
    return [
      { body: { decision: "approve", ids: [withoutBoard.id, comment.id] } },
      { body: { decision: "suspend", ids: [await aReport(post, member)] } },
      { token: moderator.token, body: { decision: "decline", ids: [noted] } },
    ];
  },
  "users-invite": async ({ member }) => [{ body: { email: member.email } }],
  "users-create": async ({ member }) => [{ body: { email: member.email } }],
  "posts-delete": async ({ author, board, roadmap }) => {
    const { postId } = await aPost(author, { boardId: board.boardId, roadmapId: roadmap.roadmapId });
    const pinned = await aPost(author, { isPinned: true });
    return [{ body: { id: postId } }, { body: { id: pinned.postId } }];
  },
  "posts-merge": async ({ author }) => {
    const { postId } = await aPost(author, { isPinned: true });
    return [{ params: { postId }, body: { into: (await aPost(author)).postId } }];
  },
  "posts-update": async ({ author, board, roadmap }) => {
    const { postId: id } = await aPost(author, { boardId: board.boardId, roadmapId: roadmap.roadmapId });
    const { boardId } = await aBoard();
    const { roadmapId } = await aRoadmap();
    const pinning = [true, false].map((isPinned) => ({ body: { id, isPinned } }));
    await setPolicy({ links: true, since: Date.now() + 60_000 });
    return [
      { body: { id, boardId, roadmapId } },
      { body: { id, boardId: null, roadmapId: null } },
      ...pinning,
      { token: author.token, body: { id, contentMarkdown: "https://example.com" } },
    ];
  },
};

/** What calls did, as `FAMILY: verb`. */
export function usesOf(calls: StoreCall[]): Set<string> {
  return new Set(
    calls.flatMap(({ touches, inTransaction }) =>
      touches.map(({ action, family }) => `${family}: ${verbOf(action, inTransaction) ?? action}`),
    ),
  );
}

/** Rights to the table, as `FAMILY: verb`. */
export function rightsIn(table: TableAccess): Set<string> {
  return new Set(Object.entries(table).flatMap(([family, verbs]) => verbs.map((verb) => `${family}: ${verb}`)));
}

/** The calls of a function; `own` are those that its kind does not make anyway. */
export type Exercised = { calls: StoreCall[]; own: StoreCall[] };

/** Makes an endpoint use all of its rights, in a new table. Returns the calls that it made. */
export async function exercise(endpoint: Endpoint): Promise<Exercised> {
  process.env.RATE_LIMITS = "on";
  try {
    await freshTable();
    // Nobody expects what sign-ups use: their network counts it with its next call.
    for (const email of ["one@example.com", "two@example.com"]) {
      await invoke("auth-sign-up", { body: { email, password: "a password of some length" } });
    }
    return await everythingOf(endpoint);
  } finally {
    newContainer({ RATE_LIMITS: "" });
  }
}

function placeOf({ pk, sk }: Partial<Key> = {}): string {
  return `${pk} | ${sk}`;
}

/** Where the caller of a token or an API key is looked up. */
function lookUpsOf(token: string): string[] {
  const apiKey = readKey(token);
  const userId = apiKey?.userId ?? JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).sub;
  return [key.user(userId), ...(apiKey ? [key.apiKey(userId, apiKey.keyId)] : [])].map(placeOf);
}

/** The fence that a transaction needs after an unanswered sending, if there is any transaction among the calls. */
export async function fenceBehind(calls: StoreCall[], actor: Parameters<typeof recordCalls>[1]): Promise<StoreCall[]> {
  if (!calls.some(({ inTransaction }) => inTransaction)) return [];
  return (await recordCalls(() => fence(newId()), actor)).calls;
}

async function everythingOf(endpoint: Endpoint): Promise<Exercised> {
  const calls: StoreCall[] = [];
  const lookUps = new Set<string>();
  const run = async (request: Request): Promise<void> => {
    for (const place of request.token ? lookUpsOf(request.token) : []) lookUps.add(place);
    await settleCatalogue();
    calls.push(...(await invoke(endpoint, request)).calls);
  };
  const example = exampleOf(endpoint);
  // Setup succeeds only before there is a site.
  if (endpoint.definition.name === "auth-set-up") await run(await example.make({} as World));
  else {
    const world = await aWorld();
    const { token } = world.owner;
    await run({ token, ...(await example.make(world)) });
    if (endpoint.definition.idempotency) {
      const headers = { "idempotency-key": newId() };
      await run({ token, headers, ...(await example.make(world)) });
    }
    if (endpoint.definition.access !== "public") {
      await run({ ...(await example.make(world)), token: (await aKey(world.owner)).text });
    }
    for (const request of (await further[endpoint.definition.name]?.(world)) ?? []) await run({ token, ...request });
  }
  calls.push(...(await fenceBehind(calls, endpoint.definition)));
  // Not what the pipeline reads and writes beside it: a batch and a transaction may hold both.
  const isOwn = ({ action, ...touch }: Touch): boolean =>
    !["RATE", "IDEMPOTENCY", "FENCE"].includes(touch.family) &&
    !(action === "PutItem" && touch.family === "AUDIT") &&
    !(action === "UpdateItem" && touch.family === "KEY_USES") &&
    !(action.endsWith("GetItem") && lookUps.has(placeOf(touch)));
  const own = calls.map((call) => ({ ...call, touches: call.touches.filter(isOwn) }));
  return { calls, own };
}

async function leaveWork(): Promise<void> {
  await freshTable();
  const world = await aWorld();
  const { author, board, roadmap } = world;
  for (const name of ["auth-sign-up", "auth-password-reset", "auth-magic"]) {
    await invoke(name, await exampleOf(endpointNamed(name)).make(world));
  }
  // First: an export waits for posts whose votes are moved.
  await leaveExports(world.author);
  const post = await aPost(author, { boardId: board.boardId, roadmapId: roadmap.roadmapId });
  await aVote(post.postId, author);
  await aComment(post.postId, author);
  await aComment(post.postId, author, { isInternal: true });
  await subscriptions.choose(author.userId, post.postId, true);
  // Ranks to remove and to change, one of them in a deleted list.
  const ranked = await aPost(author, { boardId: board.boardId, roadmapId: roadmap.roadmapId });
  for (const { postId } of [post, ranked]) await derive(postId);
  await posts.destroy(post);
  await aVote(ranked.postId, author);
  // Its word rows are stale: one too many and one too few.
  const retitled = await aPost(author, { boardId: board.boardId, title: "Dark mode" });
  await derive(retitled.postId);
  await posts.change(retitled, () => ({ title: "Bright mode" }));
  await boards.remove(board, { moveTo: (await aBoard()).boardId, by: author.userId });
  // Tables before version 5 counted by rank.
  for (const pk of ["TOP_COUNTS", "TRENDING_COUNTS"]) {
    await transact({ former: create({ pk: `${pk}#${nameOf(boardList(board.boardId))}`, sk: "2026-01" }, { "07": 1 }) });
  }
  // An event that has settled, and one of which functions from before the mark left an item.
  await aPost(author, { at: Date.now() - 60_000 });
  const { postId: eventId } = await aPost(author, { at: Date.now() - 2 * 3_600_000 });
  await transact({ news: create(key.news(eventId)) });
  // An event goes to a webhook, others to nobody, and the owner is told of a disabled webhook.
  await aWebhook(world.owner, { events: ["post.created"] });
  await giveBack((await aWebhook(world.owner)).webhook, [{ status: 410 }]);
  // A new name: one job writes a post, a vote in a seat and one without; the other is at its second walk, which ends
  // it.
  const renamed = world.member;
  await aVote((await aPost(renamed)).postId, renamed);
  await aMergedPost(renamed);
  const { postId } = await aPost(author);
  await strangersVote(postId, SEATS);
  await aVote(postId, renamed);
  await aComment(postId, renamed);
  await aComment(postId, renamed, { isInternal: true });
  await users.changeProfile(renamed, { name: "Second" });
  await transact({ job: create(key.rename(newId()), { userId: author.userId, settledAt: 1 }) });
  await leaveNotice(author);
  await leaveDigest(author);
  await leaveMoves(author);
  await posts.destroy((await aMergedPost(author)).target);
  await leaveErasures();
  // The votes of a month were counted in part.
  const reached = { month: monthOf(dayAt(Date.now())), at: Date.now(), after: "", days: {} };
  await transact({ job: create(key.counting(), { at: Date.now(), votes: reached }) });
}

/** An account that wrote something of each kind, and whose requests have ended; another one takes its votes back. */
async function leaveErasures(): Promise<void> {
  for (const votes of ["keep", "withdraw"] as const) {
    const gone = await aUser("moderator");
    const { postId } = await aPost(await aMember());
    await aVote(postId, gone);
    await strangersVote(postId, SEATS);
    const { postId: queued } = await aPost(gone);
    await strangersVote(queued, SEATS);
    await aVote(queued, gone);
    for (const isInternal of [true, false]) await aComment(postId, gone, { isInternal });
    await subscriptions.choose(gone.userId, postId, true);
    // Its job could be faster than the erasure, which then finds no vote on its way.
    await removeAlone(key.merge(await leaveWaiting(gone)));
    await aHeldPost(gone);
    await aReport({ postId }, gone, "Advertising.");
    const { record } = await aKey(gone);
    await apiKeys.noteUse(gone.userId, record.keyId, "2026-01-01");
    const account = await users.findWithKeys(gone.userId);
    await erasures.erase(gone.userId, account, { by: gone.userId, votes });
    await transact({ job: setFields(key.erasure(gone.userId), { at: 1, lastMail: newId() }) });
  }
  await outbox.add({ to: "gone@example.com", userId: newId(), template: "verify" });
}

/**
 * An export to write, of a site with an imported and a merged post; one that is written; one that has to begin anew;
 * one whose hour is over.
 */
async function leaveExports(author: Person): Promise<void> {
  const { postId } = await aPost(author);
  await aMergedPost(author);
  const slug = "an-old-slug";
  await transact({
    import: create(key.import("fider"), { source: "fider", startedAt: 1 }),
    imported: create(key.imported("fider", entryKey("post", postId)), { slugs: [slug] }),
    slug: create(key.oldSlug(slug), { postId }),
    // A post with another comment than was read is read again.
    voters: setFields(key.voters(postId), { comments: 1 }),
    anew: create(key.exportJob(newId()), { at: 1, pieces: 1, restMark: newId() }),
    over: create(key.exportJob(newId()), { at: 1, readyAt: 1 }),
    new: create(key.exportJob(newId()), { at: Date.now() }),
    held: create(key.exportJob(newId()), { at: Date.now(), place: { part: "held" } }),
  });
  const last = await exports.begin(undefined, "jsonl");
  if (last === "is running") throw new Error(last);
  await transact({ written: setFields(key.exportJob(last.exportId), { pieces: 1, isWhole: true, upload: "parts" }) });
  await leaveSheets();
}

/** An export as sheets that are written: they wait to be packed. */
async function leaveSheets(): Promise<void> {
  const entries = [{ file: "posts.csv", pieces: [], crc: 0, size: 0, packedSize: 0 }];
  const job = { format: "csv", at: Date.now(), pieces: 1, isWalked: true, entries };
  await transact({ job: create(key.exportJob(newId()), job) });
}

/** A reply on a post with a voter: it tells the author of the comment, who has no link to unsubscribe yet. */
async function leaveNotice(author: Person): Promise<void> {
  const reader = await aReader();
  const { postId } = await aPost(author, { boardId: (await aBoard()).boardId });
  const { commentId: parentId } = await aComment(postId, reader);
  const { commentId } = await aComment(postId, author, { parentId });
  await strangersVote(postId, 1);
  const rest = create(key.laterNotice(postId, reader.userId, 0), { rest: commentId });
  await transact({ job: create(key.notice(commentId), {}), rest });
  // A merge whose votes have moved.
  const duplicate = await aPost(author);
  await aVote(duplicate.postId, reader);
  await mergeInto(duplicate, (await aPost(author)).postId);
  const merged = { eventId: commentId, at: 1 };
  await transact({ merged: create(key.mergeNotice(duplicate.postId), merged) });
  // Two changes share a job; another post has one that is due.
  const post = await aPost(author);
  for (const letter of ["a", "b"]) await posts.setStatus(post, { letter });
  const changes = { first: commentId, last: commentId, by: author.userId, responded: true, at: 1 };
  await transact({ changes: create(key.changes(postId), changes) });
  const newPosts = { first: postId, at: 1 };
  const owner = (await site.find())?.ownerId ?? "";
  await transact({
    newPosts: create(key.newPosts(), newPosts),
    owner: setFields(key.user(owner), { isVerified: true }),
  });
}

/** A digest of held and reported things, also of a note, because reading that takes the most rights. */
async function leaveDigest(author: users.Person): Promise<void> {
  const reader = await aReader("moderator");
  await preferences.choose(reader.userId, { mail: preferences.NO_MAILS, digest: true });
  const post = await aPost(author);
  const note = await aReportedNote(post.postId, author, reader, reader);
  const ids = [(await aHeldPost(author)).id, await aReport(post, reader), note];
  await transact({ digest: create(key.digest(), { ids, at: 1, owed: { [reader.userId]: "queue" } }) });
}

/** The posts that were deleted: the stream delivers them to follow-ups too. */
async function deletedPosts(): Promise<Key[]> {
  return (await due.waitingIds("DELETED")).filter((id) => !id.includes("#")).map(key.post);
}

/** Makes a background function use all of its rights, in a new table. Returns the calls that it made. */
export async function exerciseBackground(background: BackgroundFunction): Promise<Exercised> {
  await leaveWork();
  const { works } = background.definition;
  const families = works.map(({ definition }) => definition.takes);
  const items = await Promise.all(
    works.map(async (work) => {
      const { ids } = await findWaiting(work);
      return ids.map((sk): Key => ({ pk: work.definition.takes, sk }));
    }),
  );
  const empty = families.filter((_, at) => items[at]?.length === 0);
  if (empty.length > 0) throw new Error(`test/support/world/exercises.ts leaves no work in ${empty}: add some`);
  const calls: StoreCall[] = [];
  newContainer({ RATE_LIMITS: "on" });
  const run = async (event: Parameters<BackgroundFunction>[0]): Promise<void> => {
    calls.push(...(await recordCalls(() => background(event), background.definition)).calls);
  };
  // On the hour it looks for lost items. Follow-ups look at other posts each hour, once there are more than 200: the
  // second time at the newest. Then the stream brings every item, and what was put off becomes due.
  await run({ time: "2026-01-01T10:00:00Z" });
  if (families.includes("POSTS")) {
    const author = await aMember();
    await addPosts(Array.from({ length: 201 }, () => postOf(author)));
  }
  await run({ time: "2026-01-01T11:00:00Z" });
  await run(recordsOf([...items.flat(), ...(await deletedPosts())]));
  for (const entry of (await Promise.all(families.map(due.entriesOf))).flat()) await due.retry(entry);
  await run({});
  calls.push(...(await fenceBehind(calls, background.definition)));
  newContainer({ RATE_LIMITS: "" });
  const waited = works.filter(({ followUp }) => !followUp).map((work) => work.definition.takes);
  const isOwn = ({ operation, touches: [touch] }: StoreCall): boolean =>
    touch?.family !== "DUE" &&
    touch?.family !== "FENCE" &&
    !(operation === "Query" && waited.some((family) => family === touch?.family));
  return { calls, own: calls.filter(isOwn) };
}
