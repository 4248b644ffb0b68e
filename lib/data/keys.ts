import type { CreateTableCommandInput } from "@aws-sdk/client-dynamodb";

/** The shape of the one table: the stack, the local engine and the tests all create it from here. */
export const tableShape = {
  AttributeDefinitions: [
    { AttributeName: "pk", AttributeType: "S" },
    { AttributeName: "sk", AttributeType: "S" },
  ],
  KeySchema: [
    { AttributeName: "pk", KeyType: "HASH" },
    { AttributeName: "sk", KeyType: "RANGE" },
  ],
  BillingMode: "PAY_PER_REQUEST",
  StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_IMAGE" },
} as const satisfies Omit<CreateTableCommandInput, "TableName">;

/** The attribute that holds the second (since 1970) after which DynamoDB may drop an item. */
export const EXPIRY_ATTRIBUTE = "expiresAt";

/**
 * The kinds of partitions, by what stands before the first `#` of a partition key, each with the pattern of its partition keys.
 * Definitions name what they touch by these; the patterns become `dynamodb:LeadingKeys`.
 */
export const partitions = {
  USER: "USER#*",
  USERS: "USERS",
  USER_COUNT: "USER_COUNT",
  CREDENTIALS: "CREDENTIALS#*",
  EMAIL: "EMAIL#*",
  USERNAME: "USERNAME#*",
  SITE: "SITE",
  CATALOGUE: "CATALOGUE",
  BOARD_URL: "BOARD_URL#*",
  ROADMAP_URL: "ROADMAP_URL#*",
  POSTS: "POSTS",
  VOTES: "VOTES#*",
  LIST: "LIST#*",
  COUNTS: "COUNTS#*",
  DELETED: "DELETED",
  OUTBOX: "OUTBOX",
  MAIL_TOKEN: "MAIL_TOKEN#*",
  RENAMES: "RENAMES",
  RATE: "RATE#*",
} as const;
export type Family = keyof typeof partitions;

/** The full primary key of an item. */
export type Key = { pk: string; sk: string };

/** A stretch of one partition, both ends included. */
export type Range = { pk: string; from: string; to: string };

/** The family of a partition key. */
export const familyOf = (pk: string): string => pk.split("#", 1)[0] as string;

// Their partition keys name a person by an address.
const PRIVATE = new Set(["EMAIL", "RATE"]);

/** The key of an item as it may stand in a log: without addresses. */
export const loggedKey = ({ pk, sk }: { pk?: unknown; sk?: unknown }): string => {
  const family = familyOf(String(pk));
  return `${PRIVATE.has(family) ? family : pk} | ${sk}`;
};

// Sorts after every key that we make: they are ASCII.
const LAST = "\uffff";

/** A list of posts: all of them, those of a board, those of a roadmap. */
export type ListName = "ALL" | `BOARD#${string}` | `ROADMAP#${string}`;

/** The list of a board's posts. */
export const boardList = (boardId: string): ListName => `BOARD#${boardId}`;
/** The list of a roadmap's posts. */
export const roadmapList = (roadmapId: string): ListName => `ROADMAP#${roadmapId}`;

/** Whether the text is the name of the list of a board or roadmap. */
export const isBoardOrRoadmapList = (text: string): text is ListName => /^(BOARD|ROADMAP)#/.test(text);

/** What the sort keys of some kinds begin with, and the names of lists. */
export const prefix = { board: "BOARD#", roadmap: "ROADMAP#", vote: "VOTE#", post: "POST#" } as const;

/** What the sort key of a post's voters ends with. */
export const VOTERS_SUFFIX = "#VOTERS";

/** What stands behind the first `#` of a part of a key: the id in `USER#<id>`. */
export const idIn = (part: string): string => part.slice(part.indexOf("#") + 1);

/** The key of every item, by what it is. */
export const key = {
  user: (userId: string): Key => ({ pk: `USER#${userId}`, sk: "USER" }),
  userVote: (userId: string, postId: string): Key => ({ pk: `USER#${userId}`, sk: `VOTE#${postId}` }),
  userPost: (userId: string, postId: string): Key => ({ pk: `USER#${userId}`, sk: `POST#${postId}` }),
  userRow: (userId: string): Key => ({ pk: "USERS", sk: userId }),
  /** One of the sixteen numbers whose sum is the number of accounts: by the last hex digit of the user id. */
  userCount: (userId: string): Key => ({ pk: "USER_COUNT", sk: userId.slice(-1) }),
  credentials: (userId: string): Key => ({ pk: `CREDENTIALS#${userId}`, sk: "CREDENTIALS" }),
  email: (email: string): Key => ({ pk: `EMAIL#${email}`, sk: "EMAIL" }),
  username: (username: string): Key => ({ pk: `USERNAME#${username}`, sk: "USERNAME" }),
  site: (): Key => ({ pk: "SITE", sk: "SITE" }),
  board: (boardId: string): Key => ({ pk: "CATALOGUE", sk: `BOARD#${boardId}` }),
  roadmap: (roadmapId: string): Key => ({ pk: "CATALOGUE", sk: `ROADMAP#${roadmapId}` }),
  roadmapOrder: (): Key => ({ pk: "CATALOGUE", sk: "ROADMAP_ORDER" }),
  boardUrl: (url: string): Key => ({ pk: `BOARD_URL#${url}`, sk: "URL" }),
  roadmapUrl: (url: string): Key => ({ pk: `ROADMAP_URL#${url}`, sk: "URL" }),
  post: (postId: string): Key => ({ pk: "POSTS", sk: postId }),
  voters: (postId: string): Key => ({ pk: "POSTS", sk: `${postId}${VOTERS_SUFFIX}` }),
  vote: (postId: string, voteId: string): Key => ({ pk: `VOTES#${postId}`, sk: voteId }),
  listRow: (list: ListName, postId: string): Key => ({ pk: `LIST#${list}`, sk: postId }),
  dayCounts: (list: ListName, month: string): Key => ({ pk: `COUNTS#${list}`, sk: month }),
  /** What was deleted and is still to be swept: a post id, or the list of a board or roadmap. */
  tombstone: (deleted: string): Key => ({ pk: "DELETED", sk: deleted }),
  mail: (mailId: string): Key => ({ pk: "OUTBOX", sk: mailId }),
  /** A token that went out by mail, under its hash and for its one purpose. */
  mailToken: (purpose: string, hash: string): Key => ({ pk: `MAIL_TOKEN#${purpose}#${hash}`, sk: "MAIL_TOKEN" }),
  /** A changed name that is still to be written into the user's posts and votes. */
  rename: (jobId: string): Key => ({ pk: "RENAMES", sk: jobId }),
  /** How often something was done in a window of time. */
  rate: (subject: string, window: string): Key => ({ pk: `RATE#${subject}#${window}`, sk: "RATE" }),
} as const;

/** Where a stretch of posts begins and ends: `from` and `to` belong to it, `after` and `before` do not. */
export type Bounds = { from?: string; to?: string; after?: string; before?: string };

// Sort before and after all keys that begin with an id: after it comes nothing, or `#`.
const justBefore = (id: string): string =>
  `${id.slice(0, -1)}${String.fromCharCode(id.charCodeAt(id.length - 1) - 1)}${LAST}`;
const justAfter = (id: string): string => `${id}~`;

const stretch = (pk: string, { from = " ", to, after, before }: Bounds): Range => ({
  pk,
  from: after === undefined ? from : justAfter(after),
  to: before === undefined ? (to === undefined ? LAST : justAfter(to)) : justBefore(before),
});

/** The stretches of the collections that are read as a whole or in part. */
export const range = {
  /** Boards, roadmaps and the order of the roadmaps. */
  catalogue: (): Range => ({ pk: "CATALOGUE", from: "BOARD#", to: "ROADMAP_ORDER" }),
  boards: (): Range => ({ pk: "CATALOGUE", from: "BOARD#", to: `BOARD#${LAST}` }),
  /** Roadmaps and their order. */
  roadmaps: (): Range => ({ pk: "CATALOGUE", from: "ROADMAP#", to: "ROADMAP_ORDER" }),
  /** Posts with their voters. */
  posts: (bounds: Bounds = {}): Range => stretch("POSTS", bounds),
  votes: (postId: string): Range => ({ pk: `VOTES#${postId}`, from: " ", to: LAST }),
  /** The votes on a post that were cast after one of them. */
  votesAfter: (postId: string, voteId: string): Range => ({ pk: `VOTES#${postId}`, from: `${voteId} `, to: LAST }),
  /** The votes of a user on the posts from `from` to `to`. */
  userVotes: (userId: string, from: string, to: string): Range => ({
    pk: `USER#${userId}`,
    from: `VOTE#${from}`,
    to: `VOTE#${to}`,
  }),
  listRows: (list: ListName, bounds: Bounds = {}): Range => stretch(`LIST#${list}`, bounds),
  dayCounts: (list: ListName): Range => ({ pk: `COUNTS#${list}`, from: " ", to: LAST }),
  tombstones: (): Range => ({ pk: "DELETED", from: " ", to: LAST }),
  outbox: (): Range => ({ pk: "OUTBOX", from: " ", to: LAST }),
  renames: (): Range => ({ pk: "RENAMES", from: " ", to: LAST }),
  /** The list of accounts, from the user `from` to the user `to`, both included. */
  userRows: ({ from = " ", to = LAST }: { from?: string; to?: string } = {}): Range => ({ pk: "USERS", from, to }),
  userCounts: (): Range => ({ pk: "USER_COUNT", from: " ", to: LAST }),
  /** What leads to all that a user wrote and voted for, from the sort key `from`; the account itself lies in between. */
  userTrail: (userId: string, from: string = prefix.post): Range => ({
    pk: `USER#${userId}`,
    from,
    to: `${prefix.vote}${LAST}`,
  }),
} as const;
