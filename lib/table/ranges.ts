import { type Family, partitions, type Ranking } from "./families.ts";
import { key, mark, prefix, wordPartition } from "./keys.ts";
import { nameOf, type PostList } from "./post-lists.ts";

/** The items of one partition whose sort keys lie between `from` and `to`, both included. */
export type Range = { pk: string; from: string; to: string };

// Sorts after every ASCII text: all sort keys but the ones of words and of people.
const LAST = "\uffff";
// Sorts after every text: the last code point.
const LAST_OF_ALL = "\u{10ffff}";

// Ids begin with a hex digit: this is the least one.
const FIRST_OF_IDS = "0";

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

function upperBound({ to, before }: Bounds): string {
  if (before !== undefined) return justBefore(before);
  return to === undefined ? LAST : justAfter(to);
}

/** The items of a partition within bounds; all of them by default. */
function within(pk: string, bounds: Bounds = {}): Range {
  const { from = " ", after } = bounds;
  return { pk, from: after === undefined ? from : justAfter(after), to: upperBound(bounds) };
}

/** Ids on one side of another one. */
export type Side = Pick<Bounds, "before" | "after">;

/** The items of one kind, by its mark; with `before` or `after` only those with lower or with higher ids. */
function marked(pk: string, kind: string, { before, after }: Side = {}): Range {
  const end = before === undefined ? { to: kind } : { before: `${kind}${before}` };
  return restAfter(within(pk, { from: kind, ...end }), after === undefined ? undefined : `${kind}${after}`);
}

/** What is kept of a post for merges: the items of one kind. */
function kept(postId: string, kind: string): Range {
  return { pk: `MERGED#${postId}`, from: kind, to: `${kind}${LAST}` };
}

/** The rest of a range after one of its sort keys; all of it without one. */
export function restAfter(range: Range, sk: string | undefined): Range {
  return sk === undefined ? range : { ...range, from: `${sk} ` };
}

export const range = {
  catalogue: (): Range => ({ pk: "CATALOGUE", from: prefix.board, to: `${prefix.tag}${LAST}` }),
  boards: (): Range => ({ pk: "CATALOGUE", from: prefix.board, to: `${prefix.board}${LAST}` }),
  boardsWithOrder: (): Range => ({ pk: "CATALOGUE", from: prefix.board, to: "BOARD_ORDER" }),
  roadmaps: (): Range => ({ pk: "CATALOGUE", from: prefix.roadmap, to: "ROADMAP_ORDER" }),
  tags: (): Range => ({ pk: "CATALOGUE", from: prefix.tag, to: `${prefix.tag}${LAST}` }),
  posts: (bounds?: Bounds): Range => within("POSTS", bounds),
  /** A post with its voters item. */
  post: (postId: string): Range => within("POSTS", { from: postId, to: postId }),
  comments: (kind: "comment" | "note", postId: string, bounds: Bounds): Range =>
    within(key[kind](postId, "").pk, { ...bounds, from: bounds.from ?? FIRST_OF_IDS }),
  commentRows: (kind: "comment" | "note", postId: string, side: Side): Range =>
    marked(key[kind](postId, "").pk, mark.row, side),
  statusChanges: (postId: string, side?: Side): Range => marked(`ACTIVITY#${postId}`, mark.statusChange, side),
  hiddenComments: (postId: string): Range => marked(`ACTIVITY#${postId}`, mark.hidden),
  activity: (kind: "comment" | "note", postId: string): Range => within(key[kind](postId, "").pk),
  events: (bounds?: Bounds): Range => within("EVENTS", bounds),
  audit: (bounds?: Bounds): Range => within("AUDIT", bounds),
  votes: (postId: string, after?: string, before?: string): Range =>
    restAfter(within(`VOTES#${postId}`, { before }), after),
  votesWithin: (postId: string, bounds: Bounds): Range => within(`VOTES#${postId}`, bounds),
  /** What leads to the posts that were merged into a post; `after` one of these. */
  duplicates: (into: string, after?: string): Range =>
    restAfter(kept(into, prefix.duplicate), after === undefined ? undefined : key.duplicate(into, after).sk),
  movedVotes: (from: string, after?: string): Range =>
    restAfter(kept(from, prefix.vote), after === undefined ? undefined : key.movedVote(from, after).sk),
  movedComments: (from: string): Range => kept(from, prefix.comment),
  /** All that is kept of a post that was merged, and what leads to those that were merged into it. */
  merged: (postId: string): Range => within(`MERGED#${postId}`),
  /** The accounts that chose to follow a post or to leave it; `after` one of them. */
  subscriptions: (postId: string, after?: string): Range => restAfter(within(`SUBSCRIPTIONS#${postId}`), after),
  userVotes: (userId: string, from: string, to: string): Range => ({
    pk: `USER#${userId}`,
    from: `${prefix.vote}${from}`,
    to: `${prefix.vote}${to}`,
  }),
  /** The posts that a user wrote, voted for, or chose to follow or to leave; `before` one of them. */
  userPosts: (userId: string, kind: "post" | "vote" | "follow", before?: string): Range => ({
    pk: `USER#${userId}`,
    from: prefix[kind],
    to: before === undefined ? `${prefix[kind]}${LAST}` : justBefore(`${prefix[kind]}${before}`),
  }),
  /** The held and the reported posts and comments, the oldest first; `after` one of them. */
  held: (after?: string): Range => restAfter(within("HELD"), after),
  /** What leads to the held posts and comments of a user. */
  userHeld: (userId: string): Range => ({ pk: `USER#${userId}`, from: prefix.held, to: `${prefix.held}${LAST}` }),
  /** The posts or comments of a user up to an id. */
  userWrote: (userId: string, kind: "post" | "comment", to: string): Range => ({
    pk: `USER#${userId}`,
    from: prefix[kind],
    to: `${prefix[kind]}${to}`,
  }),
  imports: (): Range => within("IMPORTS"),
  /** The journal of an import; with `start` the entries whose sort keys are it, or begin with it and `#`. */
  imported: (importId: string, start?: string): Range =>
    within(`IMPORTED#${importId}`, start === undefined ? {} : { from: start, to: start }),
  apiKeys: (userId: string): Range => within(`API_KEYS#${userId}`),
  keyUses: (userId: string): Range => within(`KEY_USES#${userId}`),
  listRows: (list: PostList, bounds?: Bounds): Range => within(`LIST#${nameOf(list)}`, bounds),
  /** The figures of months, both included. */
  figures: (from: string, to: string): Range => ({ pk: "FIGURES", from, to }),
  dayCounts: (holder: PostList): Range => within(`COUNTS#${nameOf(holder)}`),
  wordRows: (word: string): Range => ({ pk: wordPartition(word), from: `${word}#`, to: `${word}#${LAST}` }),
  /** The rows of a word and of the longer words that begin with it; it has three characters at least. */
  startedWordRows: (start: string): Range => ({
    pk: wordPartition(start),
    from: `${start}#`,
    to: `${start}${LAST_OF_ALL}`,
  }),
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
  digestReaders: (): Range => ({ pk: "SITE", from: "DIGEST#", to: `DIGEST#${LAST}` }),
  /** The rows by which accounts are found, whose texts begin with some characters. */
  peopleRows: (start: string): Range => ({ pk: "PEOPLE", from: start, to: `${start}${LAST_OF_ALL}` }),
  /** The rows of one text, by the ids of their accounts. */
  personRows: (text: string, { from = "", to = LAST }: Bounds): Range => ({
    pk: "PEOPLE",
    from: `${text}#${from}`,
    to: `${text}#${to}`,
  }),
  providers: (): Range => within("PROVIDERS", { from: FIRST_OF_IDS }),
  webhooks: (): Range => within("WEBHOOKS", { from: FIRST_OF_IDS }),
  deliveries: (webhookId: string): Range => within(`DELIVERIES#${webhookId}`, { from: FIRST_OF_IDS }),
  waitingDeliveries: (webhookId: string): Range => marked(`DELIVERIES#${webhookId}`, mark.waiting),
  /** The jobs of a family that is one partition. */
  waiting: (family: Family): Range => within(partitions[family]),
  due: (queue: Family): Range => ({ pk: "DUE", from: `${queue}#`, to: `${queue}#${LAST}` }),
  userRows: ({ from = " ", to = LAST }: { from?: string | undefined; to?: string | undefined } = {}): Range => ({
    pk: "USERS",
    from,
    to,
  }),
  erased: (): Range => within("ERASED"),
  userCounts: (): Range => within("USER_COUNT"),
  /** A user's COMMENT#, FOLLOW#, HELD#, POST#, REPORT#, USER and VOTE# items, from the sort key `from` on. */
  userTrail: (userId: string, from: string = prefix.comment): Range => ({
    pk: `USER#${userId}`,
    from,
    to: `${prefix.vote}${LAST}`,
  }),
} as const;
