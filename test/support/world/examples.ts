import { endpoints } from "../../../functions/index.ts";
import * as apiKeys from "../../../lib/accounts/api-keys.ts";
import * as identities from "../../../lib/accounts/identities.ts";
import * as mailTokens from "../../../lib/accounts/mail-tokens.ts";
import * as signInMails from "../../../lib/accounts/sign-in-mails.ts";
import * as site from "../../../lib/accounts/site.ts";
import { tokensOf } from "../../../lib/accounts/unsubscribe-tokens.ts";
import * as users from "../../../lib/accounts/users.ts";
import { newAccount } from "../../../lib/auth/accounts.ts";
import * as challenges from "../../../lib/auth/challenges.ts";
import * as passwords from "../../../lib/auth/passwords.ts";
import * as tokens from "../../../lib/auth/tokens.ts";
import type * as boards from "../../../lib/catalogue/boards.ts";
import type * as roadmaps from "../../../lib/catalogue/roadmaps.ts";
import * as statuses from "../../../lib/catalogue/statuses.ts";
import * as tags from "../../../lib/catalogue/tags.ts";
import { derive } from "../../../lib/cleanup/derived-rows.ts";
import type { Endpoint } from "../../../lib/endpoint.ts";
import * as posts from "../../../lib/posts/posts.ts";
import * as subscriptions from "../../../lib/posts/subscriptions.ts";
import * as providers from "../../../lib/providers/providers.ts";
import type { ErrorCode } from "../../../lib/runtime/errors.ts";
import { idAt, newId } from "../../../lib/values/ids.ts";
import * as webhooks from "../../../lib/webhooks/webhooks.ts";
import { type Reply, type Request, refusal, success } from "../http/invoke.ts";
import { anAttempt, startProvider, type TestProvider } from "../process/provider.ts";
import {
  aBoard,
  aComment,
  aKey,
  aMember,
  anAccount,
  anImport,
  aPost,
  aProvider,
  aReader,
  aRoadmap,
  aSiteExport,
  aTag,
  aUser,
  aVote,
  aWebhook,
  type Person,
} from "./fixtures.ts";
import { aHeldComment, aHeldPost, aReport } from "./held.ts";
import { aMergedPost, mergeInto } from "./merges.ts";
import { aSsoSecret, claimsOf, signedBy } from "./sso.ts";
import { codeNow, withTwoFactor } from "./two-factor.ts";

// A good request for each endpoint. A new endpoint needs nothing else for the suites over all endpoints.

/** A table for a suite over all endpoints: a site that is set up, with people of every kind. */
export type World = {
  owner: Person;
  moderator: Person;
  member: Person;
  /** A member too: the author of what an example names. */
  author: Person;
  suspended: Person;
  board: boards.BoardRecord;
  roadmap: roadmaps.RoadmapRecord;
};

function anEmail(): string {
  return `example.${newId()}@example.com`;
}

export async function aWorld(): Promise<World> {
  const owner = newAccount(anEmail(), "Owner", "owner");
  await site.setUp("Feedback", owner, "no password", site.firstBoard(newId()));
  return {
    owner: { ...owner, token: await tokens.issue(owner) },
    moderator: await aUser("moderator"),
    member: await aMember(),
    author: await aMember(),
    suspended: await aUser("suspended"),
    board: await aBoard(),
    roadmap: await aRoadmap(),
  };
}

/** A good request of an endpoint, and what a suite has to know about it. */
export type Example = {
  /** Makes a new request, with things of its own where it changes them, and with every field of the body. */
  make: (world: World) => Made;
  /** Set if a role is not enough: of members only the author of the named thing may, and moderators. */
  isAuthors?: true;
  /** The code that answers everybody but the owner, whose thing the request names. */
  refusesOthers?: ErrorCode;
  /** The code that answers the owner, where others do something with their own account. */
  refusesOwner?: ErrorCode;
  /** The code that answers every caller but the one whose token the request has. */
  refusesOtherTokens?: ErrorCode;
  /** The code that answers a good request in this world, if it does not succeed. */
  answers?: ErrorCode;
};

function aCursor(...place: unknown[]): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** Ends the API keys of an account that has many: it may have 20. */
async function makeRoomForKeys({ userId }: Person): Promise<void> {
  const keys = await apiKeys.allWithUse(userId);
  for (const { keyId } of keys.length > 10 ? keys : []) await apiKeys.remove(userId, keyId);
}

/** Deletes the webhooks of a site that has some: it may have 10. */
async function makeRoomForWebhooks(): Promise<void> {
  for (const { webhookId } of await webhooks.all()) await webhooks.remove(webhookId);
}

/** Makes a tag. Deletes the tags of a site that has many: it may have 100. */
async function aNewTag(given: Partial<tags.TagRecord> = {}): Promise<tags.TagRecord> {
  const all = await tags.all();
  for (const tag of all.length > 80 ? all : []) await tags.remove(tag);
  return aTag(given);
}

function onWebhook(body?: object): Example["make"] {
  return async ({ owner }) => {
    await makeRoomForWebhooks();
    const { webhook } = await aWebhook(owner);
    return { params: { webhookId: webhook.webhookId }, ...(body && { body }) };
  };
}

let provider: Promise<TestProvider> | undefined;

/** The provider that the examples sign in by, one for each test file. */
function theProvider(): Promise<TestProvider> {
  provider ??= startProvider();
  return provider;
}

/** Deletes the sign-in providers of a site that has many: it may have 10. */
async function makeRoomForProviders(): Promise<void> {
  const all = await providers.all();
  for (const { providerId } of all.length > 7 ? all : []) await providers.remove(providerId);
}

async function aLiveProvider(fields: Partial<providers.ProviderRecord> = {}): Promise<providers.ProviderRecord> {
  await makeRoomForProviders();
  return aProvider(await theProvider(), { staff: true, ...fields });
}

/** What the page brings back from the sign-in of a person at the provider. */
async function signedIn(claims: object, name: string) {
  const attempt = anAttempt(name);
  (await theProvider()).grant(attempt.code, { ...attempt, claims: { ...claims } });
  return { ...attempt, iss: (await theProvider()).issuer };
}

/** A sign-in by the provider, of a person who was never there before. */
export async function byProvider(claims: object = {}, name: string = newId()): Promise<Request> {
  const { providerId } = await aLiveProvider();
  const person = { sub: newId(), email: anEmail(), email_verified: true, name: "Ada", ...claims };
  return { params: { providerId }, body: await signedIn(person, name) };
}

async function onProvider(body?: object): Promise<Request> {
  const { providerId } = await aLiveProvider();
  return { params: { providerId }, ...(body && { body }) };
}

/** A token of the owner's product, for a person who was never there before. */
export async function byProduct(person: object = {}): Promise<string> {
  return signedBy(await aSsoSecret(), claimsOf({ id: newId(), email: anEmail(), ...person }));
}

const PROVIDER = {
  name: "Example",
  issuer: "https://id.example",
  clientId: "feedback",
  clientSecret: "a secret of the provider",
  scopes: ["openid", "email"],
  claims: { email: "email", emailVerified: "email_verified", name: "name" },
  staff: true,
  enabled: true,
};

/** An identity that is linked to the account of a person. */
export async function aLinkedIdentity(person: Person): Promise<string> {
  const identity = { issuer: "https://id.example", subject: newId() };
  const read = async () => (await users.find(person.userId)) as users.UserRecord;
  const account = await read();
  // It may have five.
  const [oldest] = account.identities ?? [];
  if (oldest) await identities.unlink(oldest, account);
  await identities.link(identity, await read());
  return identities.idOf(identity);
}

function inAMonth(): string {
  return new Date(Date.now() + 30 * 86_400_000).toISOString();
}

const PASSWORD = "correct horse";
const aTitle = "An example of a title";

type Made = Request | Promise<Request>;

/** Asks for a page of the caller's posts. A member has written one and voted for it. */
async function ofOwnPosts({ member }: World): Promise<Request> {
  const { postId } = await aPost(member);
  await aVote(postId, member);
  return { query: { first: "5", after: aCursor(0, newId()) } };
}

/** The same, where the member also follows the post of another person. */
async function ofFollowedPosts(world: World): Promise<Request> {
  const { postId } = await aPost(world.author);
  await subscriptions.choose(world.member.userId, postId, true);
  return ofOwnPosts(world);
}

function onPost(request: (postId: string, world: World) => Made): Example["make"] {
  return async (world) => request((await aPost(world.author)).postId, world);
}

async function storedPost(postId: string): Promise<posts.PostRecord> {
  return (await posts.find(postId)) as posts.PostRecord;
}

function onPlacedPost(request: (postId: string, place: { boardId: string; roadmapId: string }) => Made) {
  return async ({ author, board: { boardId }, roadmap: { roadmapId } }: World): Promise<Request> => {
    const place = { boardId, roadmapId };
    return request((await aPost(author, { title: "A dark mode", ...place })).postId, place);
  };
}

function onVotedPost(request: (postId: string, world: World) => Made): Example["make"] {
  return onPost(async (postId, world) => {
    await aVote(postId, world.author);
    return request(postId, world);
  });
}

function onComment(request: (ids: { postId: string; commentId: string }) => Made): Example["make"] {
  return onPost(async (postId, { author }) =>
    request({ postId, commentId: (await aComment(postId, author)).commentId }),
  );
}

function onBoards(): Request {
  return { query: { created: "asc", sort: "oldest", limit: "5", first: "5", after: aCursor(newId(), "asc") } };
}

/** The requests of all endpoints that take any input. */
const requests: Record<string, Example["make"]> = {
  "auth-sign-up": () => ({
    body: { email: anEmail(), password: PASSWORD, name: "Ada", wants: { does: "comment", postId: newId() } },
  }),
  "auth-set-up": () => ({
    body: { email: anEmail(), password: PASSWORD, name: "Ada", siteTitle: "Site", setupCode: "not asked for" },
  }),
  "auth-log-in": async () => ({ body: { email: (await anAccount(PASSWORD)).email, password: PASSWORD } }),
  // The session of a person who is not used for anything else.
  "auth-log-out": async () => ({ token: (await aMember()).token }),
  // A person whose address is not confirmed yet.
  "auth-email-verify": async () => ({ token: (await aMember()).token }),
  "auth-email-validate": async ({ owner }) => ({ body: { token: await mailTokens.issue("verify-email", owner) } }),
  "auth-password-reset": ({ member }) => ({
    body: { email: member.email, wants: { does: "follow", postId: newId() } },
  }),
  "auth-password-validate-token": async ({ member }) => ({
    body: { token: await mailTokens.issue("reset-password", member) },
  }),
  "auth-password-set": async () => ({
    body: {
      token: await mailTokens.issue("reset-password", await aMember()),
      password: "battery staple",
      keepKeys: false,
    },
  }),
  "auth-magic": ({ member }) => ({ body: { email: member.email, wants: { does: "vote", postId: newId() } } }),
  "auth-magic-verify": async () => {
    const email = anEmail();
    return { body: { email, ...(await signInMails.issue({ email, askedFrom: "" })) } };
  },
  "auth-two-factor": async () => {
    const { secret, challenge } = await withTwoFactor(await aMember());
    return { body: { challenge, code: codeNow(secret) } };
  },
  "auth-two-factor-enrol": async () => ({ body: { challenge: await challenges.issue(await aMember()) } }),
  "users-end-two-factor": async () => {
    const { person, secret } = await withTwoFactor(await aMember());
    return { token: person.token, body: { code: codeNow(secret) } };
  },
  "users-recovery-codes": async () => {
    const { person } = await withTwoFactor(await aMember());
    return { token: person.token };
  },
  "users-renew-recovery-codes": async () => {
    const { person, secret } = await withTwoFactor(await aMember());
    return { token: person.token, body: { code: codeNow(secret) } };
  },
  // A confirmed address is told of it.
  "users-change-password": async () => {
    const person = await aReader();
    await users.rehash(person.userId, "no password", await passwords.hash(PASSWORD));
    return { token: person.token, body: { password: PASSWORD, newPassword: "battery staple" } };
  },
  "users-export": () => ({ query: { after: aCursor("USER") } }),
  "exports-create": async () => {
    await aSiteExport();
    return { body: { format: "csv" } };
  },
  "exports-file": async () => ({ params: { exportId: (await aSiteExport()).exportId } }),
  "imports-list": async () => {
    await anImport();
    return {};
  },
  "users-delete-profile": async () => ({ token: (await aReader()).token, body: { votes: "withdraw" } }),
  "users-delete": async () => ({ params: { userId: (await aReader()).userId }, body: { votes: "withdraw" } }),
  "users-reset-two-factor": async () => {
    const { person } = await withTwoFactor(await aMember());
    return { params: { userId: person.userId } };
  },
  "auth-oidc": () => byProvider(),
  // A confirmed address is told of it.
  "auth-oidc-link": async () => ({ token: (await aReader()).token, ...(await byProvider()) }),
  "auth-sso": async () => ({ body: { token: await byProduct() } }),
  "auth-sso-link": async () => {
    const person = await aReader();
    return { token: person.token, body: { token: await byProduct({ email: person.email }) } };
  },
  "sso-update": () => ({ body: { staff: true } }),
  "providers-create": async () => {
    await makeRoomForProviders();
    return { body: PROVIDER };
  },
  "providers-update": () => onProvider(PROVIDER),
  "providers-delete": () => onProvider(),
  "providers-test": async () => {
    const { params, body } = await byProvider();
    return { params: params as { providerId: string }, body: { returned: body } };
  },
  "users-unlink": async ({ owner }) => ({ params: { identityId: await aLinkedIdentity(owner) } }),
  // Another address is refused.
  "users-update-profile": () => ({ body: { name: newId(), email: null, language: "ja" } }),
  "users-change-email": () => ({ body: { email: anEmail() } }),
  "users-update-notifications": () => ({
    body: { status: true, comments: true, replies: false, ownPosts: true, newPosts: true, digest: true },
  }),
  "users-unsubscribe": async () => {
    const token = await tokensOf((await aMember()).userId);
    return { query: { token: token("all") } };
  },
  "users-unsubscription": onPost(async (postId, { author }) => {
    const token = await tokensOf(author.userId);
    return { query: { token: token(postId) } };
  }),
  "users-list": () => ({
    query: {
      created: "asc",
      sort: "oldest",
      userId: newId(),
      email: anEmail(),
      q: "ada",
      group: "team",
      first: "5",
      after: aCursor(1, newId(), "asc"),
    },
  }),
  "users-invite": () => ({ body: { email: anEmail(), name: "Ada", role: "moderator", language: "de" } }),
  "users-create": () => ({ body: { email: anEmail(), name: "Ada" } }),
  "users-update": async () => ({ params: { userId: (await aMember()).userId }, body: { role: "moderator" } }),
  "keys-create": async ({ owner, moderator }) => {
    for (const person of [owner, moderator]) await makeRoomForKeys(person);
    return { body: { name: "Import", scopes: ["post:create", "post:moderate"], expiresAt: inAMonth() } };
  },
  "keys-list": async () => ({ query: { userId: (await aUser("moderator")).userId } }),
  "keys-delete": async () => {
    const other = await aUser("moderator");
    return { params: { keyId: (await aKey(other)).record.keyId }, query: { userId: other.userId } };
  },
  "audit-list": async ({ owner, member, board }) => ({
    query: {
      by: owner.userId,
      account: member.userId,
      item: board.boardId,
      action: "board",
      from: new Date(Date.now() - 60_000).toISOString(),
      to: new Date().toISOString(),
      format: "csv",
      first: "5",
      after: aCursor(newId()),
    },
  }),
  "stats-show": () => ({ query: { from: "2026-01-01", to: "2026-01-31", format: "csv" } }),
  "events-list": () => ({
    query: { types: "post.created,user.created", first: "5", after: aCursor(idAt(Date.now() - 60_000)) },
  }),
  "settings-update": () => ({
    body: {
      title: "Site",
      description: "What shall we build?",
      logo: "https://example.com/logo.svg",
      icon: "https://example.com/icon.png",
      accentColor: "484d7c",
      allowSignup: true,
      signupDomains: [],
      password: true,
      magic: true,
      requireTwoFactor: false,
      googleAnalyticsId: "G-ABC123",
      developer_mode: true,
      firstSteps: [],
    },
  }),
  "settings-update-labs": () => ({ body: { voteOnBehalf: true } }),
  "posts-list": ({ board: { boardId }, roadmap: { roadmapId } }) => {
    const paging = { limit: 10, first: 5, after: aCursor(1, newId(), "desc") };
    return {
      body: {
        ...paging,
        created: "desc",
        sort: "newest",
        boardId,
        roadmapId,
        status: "planned",
        tag: newId(),
        pinned: true,
      },
    };
  },
  "posts-by-slug": async ({ author }) => ({ body: { slug: (await aPost(author)).slug } }),
  "votes-add": onPost((postId) => ({ body: { postId } })),
  "votes-remove": onVotedPost((postId) => ({ body: { postId } })),
  "votes-assign": onPost(async (postId) => ({ params: { postId, userId: (await aMember()).userId } })),
  "votes-unassign": onVotedPost((postId, { author }) => ({ params: { postId, userId: author.userId } })),
  "roadmaps-list": () => ({ query: { first: "5", after: aCursor(0, newId()), visibility: "public,private" } }),
  "roadmaps-search": ({ roadmap }) => ({ params: { name: roadmap.name } }),
  "roadmaps-by-url": ({ roadmap }) => ({ params: { url: roadmap.url } }),
  // Another author is for the owner alone.
  "posts-create": ({ board }) => ({
    body: { title: aTitle, contentMarkdown: "# Text", boardId: board.boardId, authorId: null },
  }),
  "posts-delete": onPost((id) => ({ body: { id } })),
  "boards-list": onBoards,
  "boards-by-url": ({ board }) => ({ params: { url: board.url } }),
  "boards-browse": onBoards,
  "boards-search": ({ board }) => ({ params: { name: board.name } }),
  "boards-create": () => ({ body: { name: "A board", description: "What it is about", display: true } }),
  "boards-update": async () => {
    const { boardId } = await aBoard();
    const url = newId();
    return {
      body: {
        boardId,
        name: "Another name",
        description: "Other words",
        url,
        color: "123abc",
        view_voters: false,
        display: true,
      },
    };
  },
  "boards-delete": async () => {
    const { boardId: moveTo } = await aBoard();
    return { body: { boardId: (await aBoard()).boardId, moveTo } };
  },
  "boards-sort": async () => {
    const { boardId: before } = await aBoard();
    return { body: { boardId: (await aBoard()).boardId, before } };
  },
  "boards-check-slug": () => ({ body: { url: newId() } }),
  "roadmaps-create": () => ({ body: { name: "A roadmap" } }),
  "roadmaps-update": async () => {
    const { roadmapId } = await aRoadmap();
    return { body: { id: roadmapId, name: "Another name", url: newId(), color: "123abc", display: true } };
  },
  "roadmaps-delete": async () => ({ body: { id: (await aRoadmap()).roadmapId } }),
  "roadmaps-sort": async () => {
    const from = await aRoadmap();
    const to = await aRoadmap();
    return { body: { from: { id: from.roadmapId, index: 1 }, to: { id: to.roadmapId, index: 2 } } };
  },
  "posts-update": onPlacedPost((id, place) => ({
    body: { id, title: aTitle, contentMarkdown: "# Text", ...place, isLocked: false, isPinned: false },
  })),
  "posts-by-id": onVotedPost((postId) => ({ params: { postId } })),
  "posts-subscription": onPost((postId) => ({ params: { postId } })),
  "posts-follow": onPost((postId) => ({ params: { postId }, body: { isFollowing: true } })),
  // Nobody reports their own.
  "posts-report": async () => {
    const { postId } = await aPost(await aMember());
    return { params: { postId }, body: { reason: "Advertising." } };
  },
  "comments-report": async ({ author }) => {
    const { postId } = await aPost(author);
    const { commentId } = await aComment(postId, await aMember());
    return { params: { postId, commentId }, body: { reason: "Advertising." } };
  },
  "comments-by-id": onComment((params) => ({ params })),
  "comments-list": onComment(({ postId }) => {
    // The post is older than its comments.
    const paging = { limit: "5", first: "5", after: aCursor(0, postId) };
    const kinds = { type: "comment,status", visibility: "public,internal" };
    return { params: { postId }, query: { ...paging, ...kinds, sort: "oldest" } };
  }),
  "comments-create": onComment(({ postId, commentId }) => ({
    params: { postId },
    body: { body: "Me too.", is_internal: false, parent_id: commentId },
  })),
  "comments-update": onComment((params) => ({ params, body: { body: "Me too!", is_internal: false } })),
  "comments-delete": onComment((params) => ({ params })),
  "posts-set-status": onPlacedPost((postId, { roadmapId }) => ({
    params: { postId },
    body: { status: "planned", text: "Next month.", roadmapId, notify: true },
  })),
  "posts-set-tags": onPlacedPost(async (postId) => {
    const before = await aNewTag();
    const after = await aNewTag();
    await posts.change(await storedPost(postId), () => ({ tagIds: [before.tagId] }));
    return { params: { postId }, body: { tags: [after.tagId] } };
  }),
  "tags-create": () => ({ body: { tag: { name: `Tag ${newId()}`, color: "123abc" } } }),
  "tags-update": async () => ({
    params: { tagId: (await aNewTag()).tagId },
    body: { tag: { name: `Tag ${newId()}`, color: "123abc" } },
  }),
  "tags-delete": async () => ({ params: { tagId: (await aNewTag()).tagId } }),
  "posts-merge": async ({ author, board: { boardId }, roadmap: { roadmapId } }) => {
    const { postId } = await aPost(author, { boardId, roadmapId });
    const { postId: into } = await aPost(author, { title: "A dark mode" });
    return { params: { postId }, body: { into, notify: true } };
  },
  "posts-unmerge": async ({ author, board: { boardId }, roadmap: { roadmapId } }) => {
    const { postId: into } = await aPost(author, { title: "A dark mode" });
    const duplicate = await aPost(author, { boardId, roadmapId });
    await mergeInto(duplicate, into);
    return { params: { postId: duplicate.postId } };
  },
  "posts-merged": async ({ author }) => {
    const { target } = await aMergedPost(author);
    return { params: { postId: target.postId }, query: { first: "5", after: aCursor(newId()) } };
  },
  "settings-update-moderation": () => ({
    body: { posts: "none", comments: "none", links: false, words: ["casino"], blockedMailDomains: ["spam.example"] },
  }),
  "users-held": onPost(async (postId, { board: { boardId } }) => {
    const person = await aMember();
    await aHeldPost(person, { boardId, contentMarkdown: "# Text" });
    await aHeldComment(postId, person);
    return { token: person.token };
  }),
  "users-withdraw": async ({ owner }) => ({ params: { heldId: (await aHeldPost(owner)).id } }),
  "moderation-list": onPost(async (postId, { board: { boardId } }) => {
    await aHeldPost(await aMember(), { boardId, contentMarkdown: "# Text" });
    await aHeldComment(postId, await aMember());
    await aReport({ postId }, await aMember(), "Advertising.");
    return { query: { first: "5", after: aCursor(0, idAt(0)) } };
  }),
  "moderation-decide": async ({ author, board: { boardId } }) => {
    const { id } = await aHeldPost(author, { boardId, contentMarkdown: "# Text" });
    return { body: { decision: "approve", ids: [id], entries: [id] } };
  },
  "statuses-replace": () => {
    const look = { color: "484d7c", archived: false };
    const open = { id: "open", name: "Open", kind: "open", ...look };
    return { body: { statuses: [open, { id: "planned", name: "Soon", kind: "planned", ...look }] } };
  },
  "statuses-delete": async () => {
    const list = await statuses.read();
    const old = { name: "Old", color: "484d7c", kind: "planned", archived: true } as const;
    const made = (await statuses.replace(list, [...list.statuses, old])) as statuses.StatusRecord[];
    return { params: { statusId: made.find(({ name }) => name === old.name)?.statusId ?? "" } };
  },
  "posts-similar": onPlacedPost(async (postId, { boardId }) => {
    await derive(postId);
    return { body: { title: "Dark mode", boardId } };
  }),
  "posts-search": onPlacedPost(async (postId, place) => {
    const { tagId } = await aNewTag();
    await posts.change(await storedPost(postId), () => ({ tagIds: [tagId] }));
    await derive(postId);
    return { body: { query: "dark mod", ...place, status: "open", tag: tagId, first: 5, page: 1 } };
  }),
  "webhooks-create": async () => {
    await makeRoomForWebhooks();
    return { body: { url: "https://hook.example/feedback", events: ["post.created"], description: "Our chat" } };
  },
  "webhooks-update": onWebhook({
    url: "https://hook.example/other",
    events: ["comment.created", "post.deleted"],
    description: "Our tracker",
    status: "active",
  }),
  "webhooks-delete": onWebhook(),
  "webhooks-rotate": onWebhook(),
  "webhooks-test": onWebhook(),
  "webhooks-deliveries": onWebhook(),
  "webhooks-replay": async (world) => {
    const { postId } = await aPost(world.author);
    const body = { eventId: postId, from: "2026-01-01T00:00:00Z", after: newId(), to: "2100-01-01T00:00:00Z" };
    return { ...(await onWebhook(body)(world)) };
  },
  "users-posts": ofOwnPosts,
  "users-posts-of": async (world) => ({ params: { userId: world.member.userId }, ...(await ofOwnPosts(world)) }),
  "users-votes": ofOwnPosts,
  "users-follows": ofFollowedPosts,
  "posts-status-changes": onPost(() => ({ query: { first: "5" } })),
  "posts-waiting": onPost(() => ({ query: { first: "5", after: aCursor(0, newId()) } })),
  "posts-votes": onVotedPost((postId) => ({ params: { postId }, query: { first: "5", after: aCursor(0, newId()) } })),
};

const further: Record<string, Omit<Example, "make">> = {
  "auth-set-up": { answers: "SETUP_COMPLETED" },
  "auth-email-validate": { refusesOthers: "OTHER_ACCOUNT" },
  "users-delete-profile": { refusesOwner: "HAND_OVER_FIRST" },
  "users-end-two-factor": { refusesOtherTokens: "TWO_FACTOR_OFF" },
  "users-recovery-codes": { refusesOtherTokens: "TWO_FACTOR_OFF" },
  "users-renew-recovery-codes": { refusesOtherTokens: "TWO_FACTOR_OFF" },
  "auth-sso-link": { refusesOtherTokens: "OTHER_ACCOUNT" },
  "users-change-password": { refusesOtherTokens: "INCORRECT_PASSWORD" },
  "users-withdraw": { refusesOthers: "HELD_NOT_FOUND" },
  "users-unlink": { refusesOthers: "IDENTITY_NOT_FOUND" },
  "keys-list": { refusesOthers: "NOT_ENOUGH_PERMISSION" },
  "keys-delete": { refusesOthers: "NOT_ENOUGH_PERMISSION" },
  "posts-delete": { isAuthors: true },
  "posts-update": { isAuthors: true },
  "comments-update": { isAuthors: true },
  "comments-delete": { isAuthors: true },
};

function takesNothing({ request }: Endpoint["definition"]): boolean {
  return Object.keys(request.shape).length === 0;
}

/** For the suites over all endpoints; contract.test.ts checks that no example is missing. */
export const endpointsWithExample: { name: string; endpoint: Endpoint }[] = endpoints
  .filter(({ definition }) => definition.name in requests || takesNothing(definition))
  .map((endpoint) => ({ name: endpoint.definition.name, endpoint }));

// The codes of unusable fields, where they are not VALIDATION_ERROR.
const codes: [fields: RegExp, code: ErrorCode][] = [
  [/^users-update-profile body\.email$/, "VALIDATION_ERROR"],
  [/ body\.email$/, "EMAIL_INVALID"],
  [/^keys-delete query\.userId$| params\.keyId$/, "KEY_NOT_FOUND"],
  [/^users-list query\.userId$/, "VALIDATION_ERROR"],
  [/ (params|query)\.userId$| body\.authorId$/, "USER_NOT_FOUND"],
  [/ params\.providerId$/, "PROVIDER_NOT_FOUND"],
  [/ params\.identityId$/, "IDENTITY_NOT_FOUND"],
  [/ params\.webhookId$/, "WEBHOOK_NOT_FOUND"],
  [/ params\.commentId$| body\.parent_id$/, "COMMENT_NOT_FOUND"],
  [/ (params|body)\.postId$|^posts-(delete|update) body\.id$| body\.slug$/, "POST_NOT_FOUND"],
  [/^posts-merge body\.into$/, "POST_NOT_FOUND"],
  [/ params\.statusId$/, "STATUS_NOT_FOUND"],
  [/^boards-(update|delete|sort) body\.(boardId|before|moveTo)$/, "BOARD_NOT_FOUND"],
  [/^roadmaps-\w+ body\.(from\.|to\.)?id$/, "ROADMAP_ID_OR_URL_MISSING"],
];

/** The code that answers a field (`body.postId`) that cannot be used. */
export function codeOf({ definition: { name } }: Endpoint, field: string): ErrorCode {
  return codes.find(([fields]) => fields.test(`${name} ${field}`))?.[1] ?? "VALIDATION_ERROR";
}

export function exampleOf({ definition }: Endpoint): Example {
  const { name } = definition;
  const make = requests[name] ?? (takesNothing(definition) ? () => ({}) : undefined);
  if (!make) throw new Error(`no example request for ${name} in test/support/world/examples.ts`);
  return { make, ...further[name] };
}

/** A good request of an endpoint by a person, the owner unless the example has a token of its own. */
export async function goodRequest(endpoint: Endpoint, world: World, { token } = world.owner): Promise<Request> {
  return { token, ...(await exampleOf(endpoint).make(world)) };
}

export function expectAnswer(endpoint: Endpoint, reply: Reply): void {
  const { answers } = exampleOf(endpoint);
  if (answers) refusal(reply, answers);
  else success(reply, endpoint.definition.success);
}
