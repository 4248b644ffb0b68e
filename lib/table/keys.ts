import { type Family, familyOf, type Ranking } from "./families.ts";
import { nameOf, type PostList } from "./post-lists.ts";

export type Key = { pk: string; sk: string };

// Families whose partition keys hold an e-mail or IP address, or a person at a provider.
const PRIVATE = new Set(["EMAIL", "IDENTITY", "RATE"]);

/** The key of an item for a log line: without addresses and names. */
export function loggedKey({ pk, sk }: { pk?: unknown; sk?: unknown }): string {
  const family = familyOf(String(pk));
  // The row of a person begins with a name or an address.
  if (family === "PEOPLE") return `${family} | ${personIn(String(sk))}`;
  return `${PRIVATE.has(family) ? family : pk} | ${sk}`;
}

/** How sort keys begin where no sort key is an id alone; where some are, `mark` tells the others apart. */
export const prefix = {
  board: "BOARD#",
  roadmap: "ROADMAP#",
  vote: "VOTE#",
  post: "POST#",
  comment: "COMMENT#",
  follow: "FOLLOW#",
  held: "HELD#",
  report: "REPORT#",
  duplicate: "FROM#",
  tag: "TAG#",
} as const;

/**
 * What an item's sort key has before the id, where items of several kinds share a partition. Each of these characters
 * sorts before all ids. There is one job of new posts and one of the queue: in NOTICES the mark alone is its key.
 */
export const mark = {
  /** A comment that became a note. */
  hidden: "!",
  /** The row of a comment or note. */
  row: "#",
  /** A delivery that waits. */
  waiting: "#",
  statusChange: "$",
  /** A job that mails changes of a post. Jobs that mail comments have no mark. */
  changesJob: "!",
  /** A job that mails a merge. */
  mergeJob: "&",
  /** The job that mails new posts. */
  newPostsJob: "+",
  /** What concerns the queue of the team: the job that mails it, and the news of what came. */
  queue: "*",
} as const;

export const VOTERS_SUFFIX = "#VOTERS";

/** The id of the post in the sort key of a post or of its voters item. */
export function postIdIn(sk: string): string {
  return sk.split("#", 1)[0] as string;
}

/** The text after the first `#` of a partition or sort key: the id in `USER#<id>`. The whole text if it has no `#`. */
export function idIn(part: string): string {
  return part.slice(part.indexOf("#") + 1);
}

const ID_LENGTH = 36;

/** The account in the sort key of a row by which it is found: at the end, because the text may have a `#` too. */
export function personIn(sk: string): string {
  return sk.slice(-ID_LENGTH);
}

/** The partition of a word: by its first three characters. */
export function wordPartition(word: string): string {
  return `WORDS#${[...word].slice(0, 3).join("")}`;
}

export const key = {
  user: (userId: string): Key => ({ pk: `USER#${userId}`, sk: "USER" }),
  userVote: (userId: string, postId: string): Key => ({ pk: `USER#${userId}`, sk: `${prefix.vote}${postId}` }),
  userPost: (userId: string, postId: string): Key => ({ pk: `USER#${userId}`, sk: `${prefix.post}${postId}` }),
  /** Leads from a user to a choice to follow a post or to leave it. */
  userFollow: (userId: string, postId: string): Key => ({ pk: `USER#${userId}`, sk: `${prefix.follow}${postId}` }),
  userRow: (userId: string): Key => ({ pk: "USERS", sk: userId }),
  /** The row by which an account is found, by the start of a text. */
  personRow: (text: string, userId: string): Key => ({ pk: "PEOPLE", sk: `${text}#${userId}` }),
  /** One of sixteen counters whose sum is the number of accounts, by the last hex digit of the user id. */
  userCount: (userId: string): Key => ({ pk: "USER_COUNT", sk: userId.slice(-1) }),
  credentials: (userId: string): Key => ({ pk: `CREDENTIALS#${userId}`, sk: "CREDENTIALS" }),
  apiKey: (userId: string, keyId: string): Key => ({ pk: `API_KEYS#${userId}`, sk: keyId }),
  keyUse: (userId: string, keyId: string): Key => ({ pk: `KEY_USES#${userId}`, sk: keyId }),
  twoFactor: (userId: string): Key => ({ pk: `TWO_FACTOR#${userId}`, sk: "TWO_FACTOR" }),
  /** The secret of an authenticator app that waits for its first code. */
  enrolment: (userId: string): Key => ({ pk: `TWO_FACTOR#${userId}`, sk: "ENROLMENT" }),
  email: (email: string): Key => ({ pk: `EMAIL#${email}`, sk: "EMAIL" }),
  /** A person at a provider, by the hashes of the issuer and of the subject. */
  identity: (issuer: string, subject: string): Key => ({ pk: `IDENTITY#${issuer}#${subject}`, sk: "IDENTITY" }),
  username: (username: string): Key => ({ pk: `USERNAME#${username}`, sk: "USERNAME" }),
  site: (): Key => ({ pk: "SITE", sk: "SITE" }),
  model: (): Key => ({ pk: "MODEL", sk: "MODEL" }),
  board: (boardId: string): Key => ({ pk: "CATALOGUE", sk: `${prefix.board}${boardId}` }),
  roadmap: (roadmapId: string): Key => ({ pk: "CATALOGUE", sk: `${prefix.roadmap}${roadmapId}` }),
  boardOrder: (): Key => ({ pk: "CATALOGUE", sk: "BOARD_ORDER" }),
  roadmapOrder: (): Key => ({ pk: "CATALOGUE", sk: "ROADMAP_ORDER" }),
  pins: (): Key => ({ pk: "CATALOGUE", sk: "PINS" }),
  statuses: (): Key => ({ pk: "CATALOGUE", sk: "STATUSES" }),
  catalogueStamp: (): Key => ({ pk: "CATALOGUE", sk: "STAMP" }),
  tag: (tagId: string): Key => ({ pk: "CATALOGUE", sk: `${prefix.tag}${tagId}` }),
  /** The number of tags: behind them, so that no range of the catalogue has it. */
  tagCount: (): Key => ({ pk: "CATALOGUE", sk: "TAG_COUNT" }),
  boardUrl: (url: string): Key => ({ pk: `BOARD_URL#${url}`, sk: "URL" }),
  roadmapUrl: (url: string): Key => ({ pk: `ROADMAP_URL#${url}`, sk: "URL" }),
  /** The claim of a name, in the form in which names are compared. */
  tagName: (name: string): Key => ({ pk: `TAG_NAME#${name}`, sk: "NAME" }),
  post: (postId: string): Key => ({ pk: "POSTS", sk: postId }),
  voters: (postId: string): Key => ({ pk: "POSTS", sk: `${postId}${VOTERS_SUFFIX}` }),
  /** A post that was merged into another one. */
  merged: (postId: string): Key => ({ pk: `MERGED#${postId}`, sk: "POST" }),
  /** Leads from a post to one that was merged into it. */
  duplicate: (into: string, postId: string): Key => ({ pk: `MERGED#${into}`, sk: `${prefix.duplicate}${postId}` }),
  /** What a merge did with a vote, by the vote that the other post has since then. */
  movedVote: (from: string, voteId: string): Key => ({ pk: `MERGED#${from}`, sk: `${prefix.vote}${voteId}` }),
  movedComment: (from: string, commentId: string): Key => ({
    pk: `MERGED#${from}`,
    sk: `${prefix.comment}${commentId}`,
  }),
  /** The job that moves what a post has, for a merge or back. */
  merge: (postId: string): Key => ({ pk: "MERGES", sk: postId }),
  userComment: (userId: string, commentId: string): Key => ({
    pk: `USER#${userId}`,
    sk: `${prefix.comment}${commentId}`,
  }),
  comment: (postId: string, commentId: string): Key => ({ pk: `ACTIVITY#${postId}`, sk: commentId }),
  /** An internal comment: a family of its own, so that no request for public ones can name it. */
  note: (postId: string, commentId: string): Key => ({ pk: `NOTES#${postId}`, sk: commentId }),
  /**
   * A post or comment that waits for the team, or the reports of one that is there: a family of its own, so that no
   * other request can name it.
   */
  held: (id: string): Key => ({ pk: "HELD", sk: id }),
  /** What a user has reported: once each. */
  userReport: (userId: string, id: string): Key => ({ pk: `USER#${userId}`, sk: `${prefix.report}${id}` }),
  /** Leads from a user to what of theirs is held. */
  userHeld: (userId: string, id: string): Key => ({ pk: `USER#${userId}`, sk: `${prefix.held}${id}` }),
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
  /** A change by the team. */
  audit: (recordId: string): Key => ({ pk: "AUDIT", sk: recordId }),
  /** The hourly search for news begins with events of this moment: earlier ones are announced or have a due entry. */
  newsPlace: (): Key => ({ pk: "SITE", sk: "NEWS" }),
  /** News that have an item of their own: of the queue, and of events that were made before these had `isNews`. */
  news: (newsId: string): Key => ({ pk: "NEWS", sk: newsId }),
  /** Something that has come into the queue of the team, and of which nobody has been told: once each time it comes. */
  queueNews: (id: string, newsId: string): Key => ({ pk: "NEWS", sk: `${mark.queue}${id}#${newsId}` }),
  vote: (postId: string, voteId: string): Key => ({ pk: `VOTES#${postId}`, sk: voteId }),
  subscription: (postId: string, userId: string): Key => ({ pk: `SUBSCRIPTIONS#${postId}`, sk: userId }),
  /** The key that signs an account's links to unsubscribe. */
  unsubscribe: (userId: string): Key => ({ pk: `UNSUBSCRIBE#${userId}`, sk: "UNSUBSCRIBE" }),
  listRow: (list: PostList, postId: string): Key => ({ pk: `LIST#${nameOf(list)}`, sk: postId }),
  /** The counts of a month of a list. The counts of all posts also have each status (`countedIn`). */
  dayCounts: (holder: PostList, month: string): Key => ({ pk: `COUNTS#${nameOf(holder)}`, sk: month }),
  /** What was made on each day of a month (yyyy-mm). */
  figures: (month: string): Key => ({ pk: "FIGURES", sk: month }),
  /** The short lists beside the figures. */
  figureLists: (): Key => ({ pk: "FIGURES", sk: "LISTS" }),
  /** The job that counts the figures. */
  counting: (): Key => ({ pk: "COUNTING", sk: "FIGURES" }),
  /** A word of a post's title. Words with the same first three characters share a partition: a prefix is a range. */
  wordRow: (word: string, postId: string): Key => ({ pk: wordPartition(word), sk: `${word}#${postId}` }),
  derivedWords: (postId: string): Key => ({ pk: `DERIVED#${postId}`, sk: "WORDS" }),
  rank: (postId: string): Key => ({ pk: `DERIVED#${postId}`, sk: "RANK" }),
  /** The row of a post in a list by rank: the rank as text that sorts, `#`, the id of the post. */
  rankRow: (ranking: Ranking, list: PostList, sk: string): Key => ({ pk: `${ranking}#${nameOf(list)}`, sk }),
  /** The board, roadmap or tag of a list: its sort key is the list's name. */
  listOwner: (list: PostList): Key => ({ pk: "CATALOGUE", sk: nameOf(list) }),
  /** A deleted post (by its id), board, roadmap or tag (by the name of its list) that waits for the sweep. */
  tombstone: (deleted: string): Key => ({ pk: "DELETED", sk: deleted }),
  mail: (mailId: string): Key => ({ pk: "OUTBOX", sk: mailId }),
  /** The job that mails a comment to its readers, under the id of its event; any job of NOTICES, by its id. */
  notice: (jobId: string): Key => ({ pk: "NOTICES", sk: jobId }),
  /** The job that mails one reader at the end of an hour or a day with too many mails. */
  laterNotice: (postId: string, userId: string, at: number): Key => ({
    pk: "NOTICES",
    sk: `${postId}#${userId}#${at}`,
  }),
  /** The job that mails new posts to the team. */
  newPosts: (): Key => ({ pk: "NOTICES", sk: mark.newPostsJob }),
  /** A moderator or owner who chose to get mails about new posts. */
  newPostsReader: (userId: string): Key => ({ pk: "SITE", sk: `NEW_POSTS#${userId}` }),
  /** The job that mails the digest of the queue. */
  digest: (): Key => ({ pk: "NOTICES", sk: mark.queue }),
  /** A moderator or owner who chose the digest. */
  digestReader: (userId: string): Key => ({ pk: "SITE", sk: `DIGEST#${userId}` }),
  /** The job that mails what changed on a post, to all its readers or to one who has to wait. */
  changes: (postId: string, userId?: string): Key => ({
    pk: "NOTICES",
    sk: `${mark.changesJob}${postId}${userId === undefined ? "" : `#${userId}`}`,
  }),
  /** The job that mails a merge, to all who followed the duplicate or to one who has to wait. */
  mergeNotice: (postId: string, userId?: string): Key => ({
    pk: "NOTICES",
    sk: `${mark.mergeJob}${postId}${userId === undefined ? "" : `#${userId}`}`,
  }),
  mailToken: (purpose: string, hash: string): Key => ({ pk: `MAIL_TOKEN#${purpose}#${hash}`, sk: "MAIL_TOKEN" }),
  signInLink: (hash: string): Key => ({ pk: `MAIL_TOKEN#sign-in#${hash}`, sk: "SIGN_IN" }),
  signInCode: (addressHash: string): Key => ({ pk: `SIGN_IN_CODE#${addressHash}`, sk: "SIGN_IN_CODE" }),
  rename: (jobId: string): Key => ({ pk: "RENAMES", sk: jobId }),
  /** The job that erases what an account left behind. */
  erasure: (userId: string): Key => ({ pk: "ERASURES", sk: userId }),
  /** An account that was erased. */
  erased: (userId: string): Key => ({ pk: "ERASED", sk: userId }),
  /** The job that writes an export. */
  exportJob: (exportId: string): Key => ({ pk: "EXPORTS", sk: exportId }),
  /** The last export. */
  lastExport: (): Key => ({ pk: "SITE", sk: "EXPORT" }),
  idempotency: (userId: string, hash: string): Key => ({ pk: `IDEMPOTENCY#${userId}#${hash}`, sk: "IDEMPOTENCY" }),
  import: (importId: string): Key => ({ pk: "IMPORTS", sk: importId }),
  /** What one transaction of an import made: the letter of its kind and the id of the first. */
  imported: (importId: string, entry: string): Key => ({ pk: `IMPORTED#${importId}`, sk: entry }),
  /** The slug that a post had in another portal. */
  oldSlug: (slug: string): Key => ({ pk: `OLD_SLUG#${slug}`, sk: "OLD_SLUG" }),
  provider: (providerId: string): Key => ({ pk: "PROVIDERS", sk: providerId }),
  /** The number of providers: before their ids, so that no range of providers has it. */
  providerCount: (): Key => ({ pk: "PROVIDERS", sk: "#COUNT" }),
  providerSecret: (providerId: string): Key => ({ pk: "PROVIDER_SECRETS", sk: providerId }),
  /** The secret that signs tokens of the owner's product. */
  ssoSecret: (): Key => ({ pk: "SSO_SECRET", sk: "SSO_SECRET" }),
  /** A token that was used, by its hash. */
  ssoUse: (hash: string): Key => ({ pk: `SSO_USES#${hash}`, sk: "USED" }),
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
