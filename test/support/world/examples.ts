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
import { type Reply, type Request, refusal, success } from "../http/invoke.ts";
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
  make: (world: World) => Made;
  /** Set where a role alone does not do: of members only the author of what is named may, and moderators. */
  isAuthors?: true;
  /** The code that answers everybody but the owner, whose thing the request names. */
  refusesOthers?: ErrorCode;
  /** The code that answers a good request in this world, where that is not the success of the definition. */
  answers?: ErrorCode;
};

function aCursor(...place: unknown[]): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** Ends the API keys of an account that has many: it may have 20. */
async function makeRoomForKeys({ userId }: Person): Promise<void> {
  const keys = await apiKeys.all(userId);
  for (const { keyId } of keys.length > 10 ? keys : []) await apiKeys.remove(userId, keyId);
}

const PASSWORD = "correct horse";
const aTitle = "An example of a title";

type Made = Request | Promise<Request>;

/** A request that names a new post of the author's. */
function onPost(request: (postId: string, world: World) => Made): Example["make"] {
  return async (world) => request((await aPost(world.author)).postId, world);
}

/** A request that names a new post on the board and the roadmap. */
function onPlacedPost(request: (postId: string, place: { boardId: string; roadmapId: string }) => Made) {
  return async ({ author, board: { boardId }, roadmap: { roadmapId } }: World): Promise<Request> => {
    const place = { boardId, roadmapId };
    return request((await aPost(author, { title: "A dark mode", ...place })).postId, place);
  };
}

/** A request that names a new post with its author's vote. */
function onVotedPost(request: (postId: string, world: World) => Made): Example["make"] {
  return onPost(async (postId, world) => {
    await aVote(postId, world.author);
    return request(postId, world);
  });
}

/** A request that names a new comment of the author's. */
function onComment(request: (ids: { postId: string; commentId: string }) => Made): Example["make"] {
  return onPost(async (postId, { author }) =>
    request({ postId, commentId: (await aComment(postId, author)).commentId }),
  );
}

const examples: Record<string, Example> = {
  "auth-sign-up": {
    make: () => ({ body: { email: anEmail(), password: PASSWORD, name: "Ada" } }),
  },
  "auth-set-up": {
    make: () => ({
      body: { email: anEmail(), password: PASSWORD, name: "Ada", siteTitle: "Site", setupCode: "not asked for" },
    }),
    answers: "SETUP_COMPLETED",
  },
  "auth-log-in": {
    make: async () => ({ body: { email: (await anAccount(PASSWORD)).email, password: PASSWORD } }),
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
  "users-list": { make: () => ({ query: { created: "asc", first: "5", after: aCursor(1, newId()) } }) },
  "users-create": {
    make: () => ({ body: { email: anEmail(), name: "Ada" } }),
  },
  "users-update": {
    make: async () => ({ params: { userId: (await aMember()).userId }, body: { role: "moderator" } }),
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
    make: ({ board: { boardId }, roadmap: { roadmapId } }) => {
      const paging = { page: 1, limit: 10, first: 5, after: aCursor(1, newId()) };
      return { body: { ...paging, created: "desc", sort: "newest", boardId, roadmapId, status: "planned" } };
    },
  },
  "posts-by-slug": {
    make: async ({ author }) => ({ body: { slug: (await aPost(author)).slug } }),
  },
  "votes-add": { make: onPost((postId) => ({ body: { postId } })) },
  "votes-remove": { make: onVotedPost((postId) => ({ body: { postId } })) },
  "votes-assign": {
    make: onPost(async (postId) => ({ params: { postId, userId: (await aMember()).userId } })),
  },
  "votes-unassign": {
    make: onVotedPost((postId, { author }) => ({ params: { postId, userId: author.userId } })),
  },
  "roadmaps-list": {
    make: () => ({
      query: { first: "5", after: aCursor(0, newId()), visibility: "public,private" },
    }),
  },
  "roadmaps-search": { make: ({ roadmap }) => ({ params: { name: roadmap.name } }) },
  "roadmaps-by-url": { make: ({ roadmap }) => ({ params: { url: roadmap.url } }) },
  "posts-create": {
    // Another author is for the owner alone.
    make: ({ board }) => ({
      body: { title: aTitle, contentMarkdown: "# Text", boardId: board.boardId, authorId: null },
    }),
  },
  "posts-delete": { make: onPost((id) => ({ body: { id } })), isAuthors: true },
  "boards-list": {
    make: () => ({ query: { created: "asc", limit: "5", page: "1", first: "5", after: aCursor(newId()) } }),
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
  },
  "boards-delete": {
    make: async () => ({ body: { boardId: (await aBoard()).boardId } }),
  },
  "boards-check-slug": { make: () => ({ body: { url: newId() } }) },
  "roadmaps-create": { make: () => ({ body: { name: "A roadmap" } }) },
  "roadmaps-update": {
    make: async () => {
      const { roadmapId } = await aRoadmap();
      return { body: { id: roadmapId, name: "Another name", url: newId(), color: "123abc", display: true } };
    },
  },
  "roadmaps-delete": {
    make: async () => ({ body: { id: (await aRoadmap()).roadmapId } }),
  },
  "roadmaps-sort": {
    make: async () => {
      const [from, to] = [await aRoadmap(), await aRoadmap()];
      return { body: { from: { id: from.roadmapId, index: 1 }, to: { id: to.roadmapId, index: 2 } } };
    },
  },
  "posts-update": {
    make: onPlacedPost((id, place) => ({ body: { id, title: aTitle, contentMarkdown: "# Text", ...place } })),
    isAuthors: true,
  },
  "comments-list": {
    make: onComment(({ postId }) => {
      const paging = { page: "1", limit: "5", first: "5", after: aCursor(0, newId()) };
      return { params: { postId }, query: { ...paging, visibility: "public,internal" } };
    }),
  },
  "comments-create": {
    make: onComment(({ postId, commentId }) => ({
      params: { postId },
      body: { body: "Me too.", is_internal: false, parent_id: commentId },
    })),
  },
  "comments-update": {
    make: onComment((params) => ({ params, body: { body: "Me too!", is_internal: false } })),
    isAuthors: true,
  },
  "comments-delete": { make: onComment((params) => ({ params })), isAuthors: true },
  "posts-set-status": {
    make: onPlacedPost((postId) => ({ params: { postId }, body: { status: "planned", text: "Next month." } })),
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
    make: onPlacedPost(async (postId, { boardId }) => {
      await writeWords(postId);
      return { body: { title: "Dark mode", boardId } };
    }),
  },
  "posts-search": {
    make: onPlacedPost(async (postId, place) => {
      await writeWords(postId);
      return { body: { query: "dark mod", ...place, status: "open", first: 5 } };
    }),
  },
  "posts-votes": {
    make: onVotedPost((postId) => ({ params: { postId }, query: { first: "5", after: aCursor(0, newId()) } })),
  },
};

/**
 * The endpoints that have an example, for the suites that run over all endpoints; that none is missing,
 * contract.test.ts checks.
 */
export const endpointsWithExample: { name: string; endpoint: Endpoint }[] = endpoints
  .map((endpoint) => ({ name: endpoint.definition.name, endpoint }))
  .filter(({ name }) => name in examples);

// The codes of fields that cannot be used, where those are not VALIDATION_ERROR.
const codes: [fields: RegExp, code: ErrorCode][] = [
  [/ body\.email$/, "EMAIL_INVALID"],
  [/ params\.userId$| body\.authorId$/, "USER_NOT_FOUND"],
  [/ params\.keyId$/, "KEY_NOT_FOUND"],
  [/ params\.commentId$| body\.parent_id$/, "COMMENT_NOT_FOUND"],
  [/ (params|body)\.postId$|^posts-(delete|update) body\.id$| body\.slug$/, "POST_NOT_FOUND"],
  [/^posts-set-status body\.status$/, "STATUS_NOT_FOUND"],
  [/^boards-(update|delete) body\.boardId$/, "BOARD_NOT_FOUND"],
  [/^roadmaps-\w+ body\.(from\.|to\.)?id$/, "ROADMAP_ID_OR_URL_MISSING"],
];

/** The code that answers a field (`body.postId`) that cannot be used. */
export function codeOf({ definition: { name } }: Endpoint, field: string): ErrorCode {
  return codes.find(([fields]) => fields.test(`${name} ${field}`))?.[1] ?? "VALIDATION_ERROR";
}

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
