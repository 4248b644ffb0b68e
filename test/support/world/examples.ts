import { endpoints } from "../../../functions/index.ts";
import * as apiKeys from "../../../lib/accounts/api-keys.ts";
import * as mailTokens from "../../../lib/accounts/mail-tokens.ts";
import * as site from "../../../lib/accounts/site.ts";
import { newAccount } from "../../../lib/auth/accounts.ts";
import * as tokens from "../../../lib/auth/tokens.ts";
import type * as boards from "../../../lib/catalogue/boards.ts";
import type * as roadmaps from "../../../lib/catalogue/roadmaps.ts";
import type { Endpoint } from "../../../lib/endpoint.ts";
import type { ErrorCode } from "../../../lib/runtime/errors.ts";
import { writeWords } from "../../../lib/search/word-rows.ts";
import { newId } from "../../../lib/values/ids.ts";
import { refusal, success } from "../http/answers.ts";
import type { Reply, Request } from "../http/invoke.ts";
import { aBoard, aComment, aKey, aMember, anAccount, aPost, aRoadmap, aUser, aVote, type Person } from "./fixtures.ts";

// A good request for each endpoint: all that the suites over all endpoints need when an endpoint is added.

/** A table before a suite over all endpoints begins: a site that is set up, with people of every kind. */
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

/** Makes a world in the table at hand. */
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
  /**
   * Makes the request; each one anew, with things of its own where it changes them. Every field of the body is given.
   */
  make: (world: World) => Request | Promise<Request>;
  /** Set where a role alone does not do: of members only the author of what is named may, and moderators. */
  isAuthors?: true;
  /** The code that answers everybody but the owner, whose thing the request names. */
  refusesOthers?: ErrorCode;
  /** The code that answers a good request in this world, where that is not the success of the definition. */
  answers?: ErrorCode;
  /** The code of a field (`body.postId`) that cannot be used, where that is not VALIDATION_ERROR. */
  codes?: Record<string, ErrorCode>;
};

function aCursor(...place: unknown[]): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** Ends the API keys of an account that has many: it may have 20. */
async function makeRoomForKeys({ userId }: Person): Promise<void> {
  const keys = await apiKeys.all(userId);
  for (const { keyId } of keys.length > 10 ? keys : []) await apiKeys.remove(userId, keyId);
}

const aTitle = "An example of a title";

const examples: Record<string, Example> = {
  "auth-sign-up": {
    make: () => ({ body: { email: anEmail(), password: "correct horse", name: "Ada" } }),
    codes: { "body.email": "EMAIL_INVALID" },
  },
  "auth-set-up": {
    make: () => ({
      body: { email: anEmail(), password: "correct horse", name: "Ada", siteTitle: "Site", setupCode: "not asked for" },
    }),
    codes: { "body.email": "EMAIL_INVALID" },
    answers: "SETUP_COMPLETED",
  },
  "auth-log-in": {
    make: async () => {
      const password = "correct horse";
      return { body: { email: (await anAccount(password)).email, password } };
    },
    codes: { "body.email": "EMAIL_INVALID" },
  },
  // The session of a person who is not needed any more.
  "auth-log-out": { make: async () => ({ token: (await aMember()).token }) },
  "auth-setup-status": { make: () => ({}) },
  // A person whose address is not confirmed yet.
  "auth-email-verify": { make: async () => ({ token: (await aMember()).token }) },
  "auth-email-validate": {
    make: async ({ owner }) => ({ body: { token: await mailTokens.issue("verify-email", owner) } }),
    refusesOthers: "INVALID_TOKEN",
  },
  "auth-password-reset": {
    make: ({ member }) => ({ body: { email: member.email } }),
    codes: { "body.email": "EMAIL_INVALID" },
  },
  "auth-password-validate-token": {
    make: async ({ member }) => ({ body: { token: await mailTokens.issue("reset-password", member) } }),
  },
  "auth-password-set": {
    make: async () => ({
      body: { token: await mailTokens.issue("reset-password", await aMember()), password: "battery staple" },
    }),
  },
  "users-permissions": { make: () => ({}) },
  "users-dashboard": { make: () => ({}) },
  "users-profile": { make: () => ({}) },
  "users-update-profile": { make: () => ({ body: { name: newId() } }) },
  "users-list": {
    make: () => ({
      query: { created: "asc", first: "5", after: Buffer.from(JSON.stringify([1, newId()])).toString("base64url") },
    }),
  },
  "users-create": {
    make: () => ({ body: { email: anEmail(), name: "Ada" } }),
    codes: { "body.email": "EMAIL_INVALID" },
  },
  "users-update": {
    make: async () => ({ params: { userId: (await aMember()).userId }, body: { role: "moderator" } }),
    codes: { "params.userId": "USER_NOT_FOUND" },
  },
  "keys-create": {
    make: async ({ owner, moderator }) => {
      for (const person of [owner, moderator]) await makeRoomForKeys(person);
      return { body: { name: "Import", scopes: ["post:create", "vote:assign"], expiresAt: "2999-12-31T00:00:00Z" } };
    },
  },
  "keys-list": { make: () => ({}) },
  "keys-delete": {
    make: async ({ owner }) => ({ params: { keyId: (await aKey(owner)).record.keyId } }),
    codes: { "params.keyId": "KEY_NOT_FOUND" },
    refusesOthers: "KEY_NOT_FOUND",
  },
  "settings-site": { make: () => ({}) },
  "settings-update": {
    make: () => ({
      body: {
        title: "Site",
        description: "What shall we build?",
        logo: "https://example.com/logo.svg",
        icon: "https://example.com/icon.png",
        accentColor: "484d7c",
        allowSignup: true,
        googleAnalyticsId: "G-ABC123",
        developer_mode: true,
      },
    }),
  },
  "settings-labs": { make: () => ({}) },
  "settings-update-labs": { make: () => ({ body: { voteOnBehalf: true } }) },
  "posts-list": {
    make: ({ board, roadmap }) => ({
      body: {
        page: 1,
        created: "desc",
        sort: "newest",
        limit: 10,
        boardId: board.boardId,
        roadmapId: roadmap.roadmapId,
        status: "planned",
        first: 5,
        after: aCursor(1, newId()),
      },
    }),
  },
  "posts-by-slug": {
    make: async ({ author }) => ({ body: { slug: (await aPost(author)).slug } }),
    codes: { "body.slug": "POST_NOT_FOUND" },
  },
  "votes-add": {
    make: async ({ author }) => ({ body: { postId: (await aPost(author)).postId } }),
    codes: { "body.postId": "POST_NOT_FOUND" },
  },
  "votes-remove": {
    make: async ({ author }) => {
      const { postId } = await aPost(author);
      await aVote(postId, author);
      return { body: { postId } };
    },
    codes: { "body.postId": "POST_NOT_FOUND" },
  },
  "votes-assign": {
    make: async ({ author }) => ({
      params: { postId: (await aPost(author)).postId, userId: (await aMember()).userId },
    }),
    codes: { "params.postId": "POST_NOT_FOUND", "params.userId": "USER_NOT_FOUND" },
  },
  "votes-unassign": {
    make: async ({ author }) => {
      const { postId } = await aPost(author);
      await aVote(postId, author);
      return { params: { postId, userId: author.userId } };
    },
    codes: { "params.postId": "POST_NOT_FOUND", "params.userId": "USER_NOT_FOUND" },
  },
  "roadmaps-list": {
    make: () => ({
      query: {
        first: "5",
        after: aCursor(0, newId()),
        visibility: "public,private",
      },
    }),
  },
  "roadmaps-search": { make: ({ roadmap }) => ({ params: { name: roadmap.name } }) },
  "roadmaps-by-url": { make: ({ roadmap }) => ({ params: { url: roadmap.url } }) },
  "posts-create": {
    // Another author is for the owner alone.
    make: ({ board }) => ({
      body: { title: aTitle, contentMarkdown: "# Text", boardId: board.boardId, authorId: null },
    }),
    codes: { "body.authorId": "USER_NOT_FOUND" },
  },
  "posts-delete": {
    make: async ({ author }) => ({ body: { id: (await aPost(author)).postId } }),
    codes: { "body.id": "POST_NOT_FOUND" },
    isAuthors: true,
  },
  "boards-list": {
    make: () => ({
      query: {
        created: "asc",
        limit: "5",
        page: "1",
        first: "5",
        after: aCursor(newId()),
      },
    }),
  },
  "boards-by-url": { make: ({ board }) => ({ params: { url: board.url } }) },
  "boards-browse": { make: () => ({ query: { created: "asc", limit: "5", page: "1" } }) },
  "boards-search": { make: ({ board }) => ({ params: { name: board.name } }) },
  "boards-create": { make: () => ({ body: { name: "A board", display: true } }) },
  "boards-update": {
    make: async () => {
      const { boardId } = await aBoard();
      const url = newId();
      return { body: { boardId, name: "Another name", url, color: "123abc", view_voters: false, display: true } };
    },
    codes: { "body.boardId": "BOARD_NOT_FOUND" },
  },
  "boards-delete": {
    make: async () => ({ body: { boardId: (await aBoard()).boardId } }),
    codes: { "body.boardId": "BOARD_NOT_FOUND" },
  },
  "boards-check-slug": { make: () => ({ body: { url: newId() } }) },
  "roadmaps-create": { make: () => ({ body: { name: "A roadmap" } }) },
  "roadmaps-update": {
    make: async () => {
      const { roadmapId } = await aRoadmap();
      return { body: { id: roadmapId, name: "Another name", url: newId(), color: "123abc", display: true } };
    },
    codes: { "body.id": "ROADMAP_ID_OR_URL_MISSING" },
  },
  "roadmaps-delete": {
    make: async () => ({ body: { id: (await aRoadmap()).roadmapId } }),
    codes: { "body.id": "ROADMAP_ID_OR_URL_MISSING" },
  },
  "roadmaps-sort": {
    make: async () => {
      const [from, to] = [await aRoadmap(), await aRoadmap()];
      return { body: { from: { id: from.roadmapId, index: 1 }, to: { id: to.roadmapId, index: 2 } } };
    },
    codes: { "body.from.id": "ROADMAP_ID_OR_URL_MISSING", "body.to.id": "ROADMAP_ID_OR_URL_MISSING" },
  },
  "posts-update": {
    make: async ({ author, board, roadmap }) => {
      const { boardId } = board;
      const { roadmapId } = roadmap;
      const { postId } = await aPost(author, { boardId, roadmapId });
      return { body: { id: postId, title: aTitle, contentMarkdown: "# Text", boardId, roadmapId } };
    },
    codes: { "body.id": "POST_NOT_FOUND" },
    isAuthors: true,
  },
  "comments-list": {
    make: async ({ author }) => {
      const { postId } = await aPost(author);
      await aComment(postId, author);
      const paging = { page: "1", limit: "5", first: "5", after: aCursor(0, newId()) };
      return { params: { postId }, query: { ...paging, visibility: "public,internal" } };
    },
    codes: { "params.postId": "POST_NOT_FOUND" },
  },
  "comments-create": {
    make: async ({ author }) => {
      const { postId } = await aPost(author);
      const { commentId } = await aComment(postId, author);
      return { params: { postId }, body: { body: "Me too.", is_internal: false, parent_id: commentId } };
    },
    codes: {
      "params.postId": "POST_NOT_FOUND",
      "body.parent_id": "COMMENT_NOT_FOUND",
    },
  },
  "comments-update": {
    make: async ({ author }) => {
      const { postId } = await aPost(author);
      const { commentId } = await aComment(postId, author);
      return { params: { postId, commentId }, body: { body: "Me too!", is_internal: false } };
    },
    codes: {
      "params.postId": "POST_NOT_FOUND",
      "params.commentId": "COMMENT_NOT_FOUND",
    },
    isAuthors: true,
  },
  "comments-delete": {
    make: async ({ author }) => {
      const { postId } = await aPost(author);
      const { commentId } = await aComment(postId, author);
      return { params: { postId, commentId } };
    },
    codes: { "params.postId": "POST_NOT_FOUND", "params.commentId": "COMMENT_NOT_FOUND" },
    isAuthors: true,
  },
  "posts-set-status": {
    make: async ({ author, board, roadmap }) => {
      const { postId } = await aPost(author, { boardId: board.boardId, roadmapId: roadmap.roadmapId });
      return { params: { postId }, body: { status: "planned", text: "Next month." } };
    },
    codes: { "params.postId": "POST_NOT_FOUND", "body.status": "STATUS_NOT_FOUND" },
  },
  "statuses-list": { make: () => ({}) },
  "statuses-replace": {
    make: () => {
      const look = { color: "484d7c", archived: false };
      const open = { id: "open", name: "Open", kind: "open", ...look };
      return { body: { statuses: [open, { id: "planned", name: "Soon", kind: "planned", ...look }] } };
    },
  },
  "posts-similar": {
    make: async ({ author, board }) => {
      const { boardId } = board;
      await writeWords((await aPost(author, { title: "A dark mode", boardId })).postId);
      return { body: { title: "Dark mode", boardId } };
    },
  },
  "posts-search": {
    make: async ({ author, board, roadmap }) => {
      const place = { boardId: board.boardId, roadmapId: roadmap.roadmapId };
      await writeWords((await aPost(author, { title: "A dark mode", ...place })).postId);
      return { body: { query: "dark mod", ...place, status: "open", first: 5 } };
    },
  },
  "posts-votes": {
    make: async ({ author }) => {
      const { postId } = await aPost(author);
      await aVote(postId, author);
      return { params: { postId }, query: { first: "5", after: aCursor(0, newId()) } };
    },
    codes: { "params.postId": "POST_NOT_FOUND" },
  },
};

/**
 * The endpoints that have an example, for the suites that run over all endpoints; that none is missing,
 * contract.test.ts checks.
 */
export const endpointsWithExample: { name: string; endpoint: Endpoint }[] = endpoints
  .map((endpoint) => ({ name: endpoint.definition.name, endpoint }))
  .filter(({ name }) => name in examples);

/** The example of an endpoint. */
export function exampleOf({ definition: { name } }: Endpoint): Example {
  const example = examples[name];
  if (!example) throw new Error(`no example request for ${name} in test/support/world/examples.ts`);
  return example;
}

/** A good request of an endpoint by a person, the owner unless the example has a token of its own. */
export async function goodRequest(endpoint: Endpoint, world: World, { token } = world.owner): Promise<Request> {
  return { token, ...(await exampleOf(endpoint).make(world)) };
}

/** Checks the answer to a good request. */
export function expectAnswer(endpoint: Endpoint, reply: Reply): void {
  const { answers } = exampleOf(endpoint);
  if (answers) refusal(reply, answers);
  else success(reply, endpoint.definition.success);
}
