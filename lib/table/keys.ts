import type { CreateTableCommandInput } from "@aws-sdk/client-dynamodb";
import { nameOf, type PostList } from "./post-lists.ts";

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
  StreamSpecification: { StreamEnabled: true, StreamViewType: "KEYS_ONLY" },
} as const satisfies Omit<CreateTableCommandInput, "TableName">;

/** The attribute with the time after which DynamoDB may delete an item, in seconds since 1970. */
export const EXPIRY_ATTRIBUTE = "expiresAt";

export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/**
 * The families of keys (the word before the first `#` of a partition key), each with the pattern of its partition keys,
 * which becomes `dynamodb:LeadingKeys` in IAM policies.
 */
export const partitions = {
  USER: "USER#*",
  USERS: "USERS",
  USER_COUNT: "USER_COUNT",
  CREDENTIALS: "CREDENTIALS#*",
  API_KEYS: "API_KEYS#*",
  KEY_USES: "KEY_USES#*",
  EMAIL: "EMAIL#*",
  USERNAME: "USERNAME#*",
  SITE: "SITE",
  MODEL: "MODEL",
  CATALOGUE: "CATALOGUE",
  BOARD_URL: "BOARD_URL#*",
  ROADMAP_URL: "ROADMAP_URL#*",
  POSTS: "POSTS",
  VOTES: "VOTES#*",
  ACTIVITY: "ACTIVITY#*",
  NOTES: "NOTES#*",
  EVENTS: "EVENTS",
  NEWS: "NEWS",
  SUBSCRIPTIONS: "SUBSCRIPTIONS#*",
  UNSUBSCRIBE: "UNSUBSCRIBE#*",
  LIST: "LIST#*",
  COUNTS: "COUNTS#*",
  WORDS: "WORDS#*",
  DERIVED: "DERIVED#*",
  TOP: "TOP#*",
  TRENDING: "TRENDING#*",
  DELETED: "DELETED",
  OUTBOX: "OUTBOX",
  NOTICES: "NOTICES",
  MAIL_TOKEN: "MAIL_TOKEN#*",
  RENAMES: "RENAMES",
  WEBHOOKS: "WEBHOOKS",
  WEBHOOK_SECRETS: "WEBHOOK_SECRETS",
  DELIVERIES: "DELIVERIES#*",
  DUE: "DUE",
  RATE: "RATE#*",
  IDEMPOTENCY: "IDEMPOTENCY#*",
  FENCE: "FENCE#*",
  // Only tables before version 5 have them.
  TOP_COUNTS: "TOP_COUNTS#*",
  TRENDING_COUNTS: "TRENDING_COUNTS#*",
} as const;
export type Family = keyof typeof partitions;

/** The families of rows by rank: by votes, and by trending time. */
export const rankings = ["TOP", "TRENDING"] as const;
export type Ranking = (typeof rankings)[number];

export type Key = { pk: string; sk: string };

/** The items of one partition whose sort keys lie between `from` and `to`, both included. */
export type Range = { pk: string; from: string; to: string };

export function familyOf(pk: string): string {
  return pk.split("#", 1)[0] as string;
}

// Families whose partition keys hold an e-mail or IP address.
const PRIVATE = new Set(["EMAIL", "RATE"]);

/** The key of an item for a log line: without addresses. */
export function loggedKey({ pk, sk }: { pk?: unknown; sk?: unknown }): string {
  const family = familyOf(String(pk));
  return `${PRIVATE.has(family) ? family : pk} | ${sk}`;
}

// Sorts after every ASCII text: all sort keys except words.
const LAST = "\uffff";
// Sorts after every text: the last code point.
const LAST_OF_ALL = "\u{10ffff}";

/** How the sort keys of some kinds of items begin. */
export const prefix = {
  board: "BOARD#",
  roadmap: "ROADMAP#",
  vote: "VOTE#",
  post: "POST#",
  comment: "COMMENT#",
} as const;

/**
 * What an item's sort key has before the id, where items of several kinds share a partition. Each of these characters
 * sorts before all ids.
 */
const mark = {
  /** A comment that became a note. */
  hidden: "!",
  /** The row of a comment or note; a waiting delivery. */
  row: "#",
  waiting: "#",
  statusChange: "$",
} as const;

// Ids begin with a hex digit: this is the least one.
const FIRST_OF_IDS = "0";

export const VOTERS_SUFFIX = "#VOTERS";

/** The id of the post in the sort key of a post or of its voters item. */
export function postIdIn(sk: string): string {
  return sk.split("#", 1)[0] as string;
}

/** The text after the first `#` of a partition or sort key: the id in `USER#<id>`. */
export function idIn(part: string): string {
  return part.slice(part.indexOf("#") + 1);
}

function wordPartition(word: string): string {
  return `WORDS#${[...word].slice(0, 3).join("")}`;
}

export const key = {
  user: (userId: string): Key => ({ pk: `USER#${userId}`, sk: "USER" }),
  userVote: (userId: string, postId: string): Key => ({ pk: `USER#${userId}`, sk: `VOTE#${postId}` }),
  userPost: (userId: string, postId: string): Key => ({ pk: `USER#${userId}`, sk: `POST#${postId}` }),
  userRow: (userId: string): Key => ({ pk: "USERS", sk: userId }),
  /** One of sixteen counters whose sum is the number of accounts, by the last hex digit of the user id. */
  userCount: (userId: string): Key => ({ pk: "USER_COUNT", sk: userId.slice(-1) }),
  credentials: (userId: string): Key => ({ pk: `CREDENTIALS#${userId}`, sk: "CREDENTIALS" }),
  apiKey: (userId: string, keyId: string): Key => ({ pk: `API_KEYS#${userId}`, sk: keyId }),
  keyUse: (userId: string, keyId: string): Key => ({ pk: `KEY_USES#${userId}`, sk: keyId }),
  email: (email: string): Key => ({ pk: `EMAIL#${email}`, sk: "EMAIL" }),
  username: (username: string): Key => ({ pk: `USERNAME#${username}`, sk: "USERNAME" }),
  site: (): Key => ({ pk: "SITE", sk: "SITE" }),
  model: (): Key => ({ pk: "MODEL", sk: "MODEL" }),
  board: (boardId: string): Key => ({ pk: "CATALOGUE", sk: `BOARD#${boardId}` }),
  roadmap: (roadmapId: string): Key => ({ pk: "CATALOGUE", sk: `ROADMAP#${roadmapId}` }),
  roadmapOrder: (): Key => ({ pk: "CATALOGUE", sk: "ROADMAP_ORDER" }),
  statuses: (): Key => ({ pk: "CATALOGUE", sk: "STATUSES" }),
  boardUrl: (url: string): Key => ({ pk: `BOARD_URL#${url}`, sk: "URL" }),
  roadmapUrl: (url: string): Key => ({ pk: `ROADMAP_URL#${url}`, sk: "URL" }),
  post: (postId: string): Key => ({ pk: "POSTS", sk: postId }),
  voters: (postId: string): Key => ({ pk: "POSTS", sk: `${postId}${VOTERS_SUFFIX}` }),
  userComment: (userId: string, commentId: string): Key => ({ pk: `USER#${userId}`, sk: `COMMENT#${commentId}` }),
  comment: (postId: string, commentId: string): Key => ({ pk: `ACTIVITY#${postId}`, sk: commentId }),
  /** An internal comment: a family of its own, so that no request for public ones can name it. */
  note: (postId: string, commentId: string): Key => ({ pk: `NOTES#${postId}`, sk: commentId }),
  /** The row of a comment or note: pages are counted by rows, which are short. */
  commentRow: ({ pk, sk }: Key): Key => ({ pk, sk: `${mark.row}${sk}` }),
  /** A comment that became a note: its public replies must not name it. */
  hiddenComment: (postId: string, commentId: string): Key => ({
    pk: `ACTIVITY#${postId}`,
    sk: `${mark.hidden}${commentId}`,
  }),
  statusChange: (postId: string, changeId: string): Key => ({
    pk: `ACTIVITY#${postId}`,
    sk: `${mark.statusChange}${changeId}`,
  }),
  event: (eventId: string): Key => ({ pk: "EVENTS", sk: eventId }),
  /** An event that is not announced yet. */
  news: (eventId: string): Key => ({ pk: "NEWS", sk: eventId }),
  vote: (postId: string, voteId: string): Key => ({ pk: `VOTES#${postId}`, sk: voteId }),
  subscription: (postId: string, userId: string): Key => ({ pk: `SUBSCRIPTIONS#${postId}`, sk: userId }),
  /** The key that signs an account's links to unsubscribe. */
  unsubscribe: (userId: string): Key => ({ pk: `UNSUBSCRIBE#${userId}`, sk: "UNSUBSCRIBE" }),
  listRow: (list: PostList, postId: string): Key => ({ pk: `LIST#${nameOf(list)}`, sk: postId }),
  /** The counts of a month of a list, by which others may be counted too (`countedIn`). */
  dayCounts: (holder: PostList, month: string): Key => ({ pk: `COUNTS#${nameOf(holder)}`, sk: month }),
  /** A word of a post's title. Words with the same first three characters share a partition: a prefix is a range. */
  wordRow: (word: string, postId: string): Key => ({ pk: wordPartition(word), sk: `${word}#${postId}` }),
  derivedWords: (postId: string): Key => ({ pk: `DERIVED#${postId}`, sk: "WORDS" }),
  rank: (postId: string): Key => ({ pk: `DERIVED#${postId}`, sk: "RANK" }),
  /** The row of a post in a list by rank: the rank as text that sorts, `#`, the id of the post. */
  rankRow: (ranking: Ranking, list: PostList, sk: string): Key => ({ pk: `${ranking}#${nameOf(list)}`, sk }),
  /** The board or roadmap of a list: its sort key is the list's name. */
  listOwner: (list: PostList): Key => ({ pk: "CATALOGUE", sk: nameOf(list) }),
  /** A deleted post (by its id), board or roadmap (by the name of its list) that waits for the sweep. */
  tombstone: (deleted: string): Key => ({ pk: "DELETED", sk: deleted }),
  mail: (mailId: string): Key => ({ pk: "OUTBOX", sk: mailId }),
  notice: (eventId: string): Key => ({ pk: "NOTICES", sk: eventId }),
  /** The job that tells the team of new posts. */
  newPosts: (): Key => ({ pk: "NOTICES", sk: "+" }),
  /** A moderator or owner who chose to get mails about new posts. */
  newPostsReader: (userId: string): Key => ({ pk: "SITE", sk: `NEW_POSTS#${userId}` }),
  /** The job that tells what changed on a post: all its readers, or one who has to wait. */
  changes: (postId: string, userId?: string): Key => ({
    pk: "NOTICES",
    sk: `!${postId}${userId === undefined ? "" : `#${userId}`}`,
  }),
  mailToken: (purpose: string, hash: string): Key => ({ pk: `MAIL_TOKEN#${purpose}#${hash}`, sk: "MAIL_TOKEN" }),
  rename: (jobId: string): Key => ({ pk: "RENAMES", sk: jobId }),
  idempotency: (userId: string, hash: string): Key => ({ pk: `IDEMPOTENCY#${userId}#${hash}`, sk: "IDEMPOTENCY" }),
  webhook: (webhookId: string): Key => ({ pk: "WEBHOOKS", sk: webhookId }),
  /** The number of webhooks: before their ids, so that no range of webhooks has it. */
  webhookCount: (): Key => ({ pk: "WEBHOOKS", sk: "#COUNT" }),
  webhookSecrets: (webhookId: string): Key => ({ pk: "WEBHOOK_SECRETS", sk: webhookId }),
  /** A delivery that has ended. */
  delivery: (webhookId: string, eventId: string): Key => ({ pk: `DELIVERIES#${webhookId}`, sk: eventId }),
  waitingDelivery: (webhookId: string, eventId: string): Key => ({
    pk: `DELIVERIES#${webhookId}`,
    sk: `${mark.waiting}${eventId}`,
  }),
  due: (queue: Family, id: string): Key => ({ pk: "DUE", sk: `${queue}#${id}` }),
  /** No item ever has this key: it is only checked (lib/table/transactions.ts). */
  fence: (token: string): Key => ({ pk: `FENCE#${token}`, sk: "FENCE" }),
  rate: (subject: string, window: string): Key => ({ pk: `RATE#${subject}#${window}`, sk: "RATE" }),
} as const;

/** Bounds of sort keys: `from` and `to` are included, `after` and `before` are not. */
export type Bounds = Partial<Record<"from" | "to" | "after" | "before", string | undefined>>;

// The bounds around all sort keys that begin with an id: the id itself, and the id followed by `#`. No text sorts right
// before another one, so the lower bound ends in the character before the last one and then in the greatest.
function justBefore(id: string): string {
  const last = id.charCodeAt(id.length - 1);
  return `${id.slice(0, -1)}${String.fromCharCode(last - 1)}${LAST}`;
}

const AFTER_HASH = "~";

function justAfter(id: string): string {
  return `${id}${AFTER_HASH}`;
}

/** The items of a partition within bounds; all of them by default. */
function within(pk: string, { from = " ", to, after, before }: Bounds = {}): Range {
  return {
    pk,
    from: after === undefined ? from : justAfter(after),
    to: before === undefined ? (to === undefined ? LAST : justAfter(to)) : justBefore(before),
  };
}

/** The items of one kind, by its mark; with `before` only those with lower ids. */
function marked(pk: string, kind: string, before?: string): Range {
  return within(pk, before === undefined ? { from: kind, to: kind } : { from: kind, before: `${kind}${before}` });
}

/** The rest of a range after one of its sort keys; all of it without one. */
export function restAfter(range: Range, sk: string | undefined): Range {
  return sk === undefined ? range : { ...range, from: `${sk} ` };
}

export const range = {
  catalogue: (): Range => ({ pk: "CATALOGUE", from: "BOARD#", to: "STATUSES" }),
  boards: (): Range => ({ pk: "CATALOGUE", from: "BOARD#", to: `BOARD#${LAST}` }),
  roadmaps: (): Range => ({ pk: "CATALOGUE", from: "ROADMAP#", to: "ROADMAP_ORDER" }),
  posts: (bounds?: Bounds): Range => within("POSTS", bounds),
  comments: (kind: "comment" | "note", postId: string, bounds: Bounds): Range =>
    within(key[kind](postId, "").pk, { ...bounds, from: bounds.from ?? FIRST_OF_IDS }),
  commentRows: (kind: "comment" | "note", postId: string, before?: string): Range =>
    marked(key[kind](postId, "").pk, mark.row, before),
  statusChanges: (postId: string, before?: string): Range => marked(`ACTIVITY#${postId}`, mark.statusChange, before),
  hiddenComments: (postId: string): Range => marked(`ACTIVITY#${postId}`, mark.hidden),
  activity: (kind: "comment" | "note", postId: string): Range => within(key[kind](postId, "").pk),
  events: (bounds?: Bounds): Range => within("EVENTS", bounds),
  votes: (postId: string, after?: string, before?: string): Range =>
    restAfter(within(`VOTES#${postId}`, { before }), after),
  /** The accounts that chose to follow a post or to leave it; `after` one of them. */
  subscriptions: (postId: string, after?: string): Range => restAfter(within(`SUBSCRIPTIONS#${postId}`), after),
  userVotes: (userId: string, from: string, to: string): Range => ({
    pk: `USER#${userId}`,
    from: `VOTE#${from}`,
    to: `VOTE#${to}`,
  }),
  /** The posts that a user wrote or voted for; `before` one of them. */
  userPosts: (userId: string, kind: "post" | "vote", before?: string): Range => ({
    pk: `USER#${userId}`,
    from: prefix[kind],
    to: before === undefined ? `${prefix[kind]}${LAST}` : justBefore(`${prefix[kind]}${before}`),
  }),
  apiKeys: (userId: string): Range => within(`API_KEYS#${userId}`),
  keyUses: (userId: string): Range => within(`KEY_USES#${userId}`),
  listRows: (list: PostList, bounds?: Bounds): Range => within(`LIST#${nameOf(list)}`, bounds),
  dayCounts: (holder: PostList): Range => within(`COUNTS#${nameOf(holder)}`),
  wordRows: (word: string): Range => ({ pk: wordPartition(word), from: `${word}#`, to: `${word}#${LAST}` }),
  /** The rows of the longer words that begin with some characters, three at least. */
  longerWordRows: (start: string): Range => ({
    pk: wordPartition(start),
    // Letters and digits sort after the `#` that ends a word.
    from: `${start}0`,
    to: `${start}${LAST_OF_ALL}`,
  }),
  rankRows: (ranking: Ranking, list: PostList, bounds?: Bounds): Range => within(`${ranking}#${nameOf(list)}`, bounds),
  /** What tables before version 5 counted by rank: the migration and the sweep remove it. */
  formerCounts: (ranking: Ranking, list: PostList): Range => within(`${ranking}_COUNTS#${nameOf(list)}`),
  newPostsReaders: (): Range => ({ pk: "SITE", from: "NEW_POSTS#", to: `NEW_POSTS#${LAST}` }),
  webhooks: (): Range => within("WEBHOOKS", { from: FIRST_OF_IDS }),
  deliveries: (webhookId: string): Range => within(`DELIVERIES#${webhookId}`, { from: FIRST_OF_IDS }),
  waitingDeliveries: (webhookId: string): Range => marked(`DELIVERIES#${webhookId}`, mark.waiting),
  /** The jobs of a family that is one partition. */
  waiting: (family: Family): Range => within(partitions[family]),
  due: (queue: Family): Range => ({ pk: "DUE", from: `${queue}#`, to: `${queue}#${LAST}` }),
  userRows: ({ from = " ", to = LAST }: { from?: string; to?: string } = {}): Range => ({ pk: "USERS", from, to }),
  userCounts: (): Range => within("USER_COUNT"),
  /** A user's COMMENT#, POST#, USER and VOTE# items, from the sort key `from` on. */
  userTrail: (userId: string, from: string = prefix.comment): Range => ({
    pk: `USER#${userId}`,
    from,
    to: `${prefix.vote}${LAST}`,
  }),
} as const;
