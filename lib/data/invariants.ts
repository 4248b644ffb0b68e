import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import { settings } from "../runtime/settings.ts";
import { dayOf } from "../values/ids.ts";
import { BoardItem } from "./boards.ts";
import { documentClient } from "./client.ts";
import { type Family, familyOf, type Key, key } from "./keys.ts";
import { TokenItem } from "./mail-tokens.ts";
import { Mail } from "./outbox.ts";
import { PostItem, type PostRecord } from "./posts.ts";
import { RenameItem } from "./renames.ts";
import { OrderItem, RoadmapItem } from "./roadmaps.ts";
import { SiteItem } from "./site.ts";
import { CountItem, CredentialsItem, type Person, UserItem } from "./users.ts";
import { SEATS, UserVoteItem, VoteItem, type VoteRecord, VotersItem } from "./votes.ts";

// What docs/data-model.md#invariants promises of the table as a whole, after every commit. For tests and for a look at a table at rest: it reads
// everything, so no request may come near it.

/** One thing that is wrong: at which item (`pk | sk`), and what. */
export type Finding = { at: string; problem: string };

type Item = Key & Record<string, unknown>;

/** A kind of item: its family, what its sort key looks like, and its schema. */
type Kind<S extends z.ZodType = z.ZodType> = { family: Family; sk: RegExp; schema: S };

const ID = "[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";
const idAfter = (prefix: string): RegExp => new RegExp(`^${prefix}${ID}$`);

const KeysOnly = z.object({});
const Claim = z.object({ userId: z.string() });
const Row = z.object({ boardId: z.string().optional() });
const Counts = z.record(z.string().regex(/^(\d\d|pk|sk)$/), z.unknown());

const kinds = {
  user: { family: "USER", sk: /^USER$/, schema: UserItem },
  userVote: { family: "USER", sk: idAfter("VOTE#"), schema: UserVoteItem },
  userPost: { family: "USER", sk: idAfter("POST#"), schema: KeysOnly },
  userRow: { family: "USERS", sk: idAfter(""), schema: KeysOnly },
  userCount: { family: "USER_COUNT", sk: /^[0-9a-f]$/, schema: CountItem },
  credentials: { family: "CREDENTIALS", sk: /^CREDENTIALS$/, schema: CredentialsItem },
  email: { family: "EMAIL", sk: /^EMAIL$/, schema: Claim },
  username: { family: "USERNAME", sk: /^USERNAME$/, schema: Claim },
  site: { family: "SITE", sk: /^SITE$/, schema: SiteItem },
  board: { family: "CATALOGUE", sk: idAfter("BOARD#"), schema: BoardItem },
  roadmap: { family: "CATALOGUE", sk: idAfter("ROADMAP#"), schema: RoadmapItem },
  roadmapOrder: { family: "CATALOGUE", sk: /^ROADMAP_ORDER$/, schema: OrderItem },
  boardUrl: { family: "BOARD_URL", sk: /^URL$/, schema: z.object({ boardId: z.string() }) },
  roadmapUrl: { family: "ROADMAP_URL", sk: /^URL$/, schema: z.object({ roadmapId: z.string() }) },
  post: { family: "POSTS", sk: idAfter(""), schema: PostItem },
  voters: { family: "POSTS", sk: new RegExp(`^${ID}#VOTERS$`), schema: VotersItem },
  vote: { family: "VOTES", sk: idAfter(""), schema: VoteItem },
  row: { family: "LIST", sk: idAfter(""), schema: Row },
  counts: { family: "COUNTS", sk: /^\d{4}-\d\d$/, schema: Counts },
  tombstone: { family: "DELETED", sk: new RegExp(`^((BOARD|ROADMAP)#)?${ID}$`), schema: KeysOnly },
  mail: { family: "OUTBOX", sk: idAfter(""), schema: Mail },
  rename: { family: "RENAMES", sk: idAfter(""), schema: RenameItem },
  mailToken: { family: "MAIL_TOKEN", sk: /^MAIL_TOKEN$/, schema: TokenItem },
  rateWindow: { family: "RATE", sk: /^RATE$/, schema: KeysOnly },
} as const satisfies Record<string, Kind>;

type KindName = keyof typeof kinds;
type Value<K extends KindName> = z.output<(typeof kinds)[K]["schema"]>;
type Stored<K extends KindName> = { key: Key; value: Value<K> };

/** A table that was read: its items by kind, and by kind and key. */
type Table = {
  all: <K extends KindName>(kind: K) => Stored<K>[];
  at: <K extends KindName>(kind: K, key: Key) => Value<K> | undefined;
  has: (kind: KindName, key: Key) => boolean;
};

type Findings = Generator<Finding, void, undefined>;

const nameOf = ({ pk, sk }: Key): string => `${pk} | ${sk}`;
const finding = (key: Key, problem: string): Finding => ({ at: nameOf(key), problem });

/** What stands after the first `#`: the id in `USER#<id>`, the list in `LIST#<list>`. */
const named = (text: string): string => text.slice(text.indexOf("#") + 1);
const listOf = ({ pk }: Key): string => named(pk);

const kindOf = ({ pk, sk }: Key): KindName | undefined =>
  (Object.keys(kinds) as KindName[]).find((name) => kinds[name].family === familyOf(pk) && kinds[name].sk.test(sk));

/** Sorts items by kind; what is of no kind, or does not parse, is a finding. */
const sort = (items: Item[]): { table: Table; findings: Finding[] } => {
  const found = new Map<KindName, Map<string, Stored<KindName>>>();
  const findings: Finding[] = [];
  for (const item of items) {
    const kind = kindOf(item);
    const parsed = kind && kinds[kind].schema.safeParse(item);
    if (!kind) findings.push(finding(item, "is of no kind that the data model knows"));
    else if (!parsed?.success)
      findings.push(finding(item, `does not parse: ${z.prettifyError(parsed?.error as never)}`));
    else {
      const stored = { key: { pk: item.pk, sk: item.sk }, value: parsed.data };
      found.set(kind, (found.get(kind) ?? new Map()).set(nameOf(item), stored));
    }
  }
  const at = (kind: KindName, key: Key) => found.get(kind)?.get(nameOf(key))?.value;
  const all = (kind: KindName) => [...(found.get(kind)?.values() ?? [])];
  return { table: { all, at, has: (kind, key) => at(kind, key) !== undefined } as Table, findings };
};

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const groupBy = <T>(items: T[], nameOf: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(nameOf(item));
    if (group) group.push(item);
    else groups.set(nameOf(item), [item]);
  }
  return groups;
};

/** Every account has its row, its credentials and its two claims, and each of them its account. */
const accounts = function* ({ all, at, has }: Table): Findings {
  for (const { key: at_, value } of all("user")) {
    const { userId, email, username } = value;
    if (!has("userRow", key.userRow(userId))) yield finding(at_, "is not in the list of accounts");
    const credentials = at("credentials", key.credentials(userId));
    if (!credentials) yield finding(at_, "has no credentials");
    else if (credentials.tokenVersion !== value.tokenVersion) yield finding(at_, "has credentials of another version");
    if (at("email", key.email(email))?.userId !== userId) yield finding(at_, "does not hold its e-mail claim");
    if (at("username", key.username(username))?.userId !== userId)
      yield finding(at_, "does not hold its username claim");
  }
  for (const { key: row } of all("userRow")) if (!has("user", key.user(row.sk))) yield finding(row, "has no account");
  for (const { key: own } of all("credentials")) {
    if (!has("user", key.user(named(own.pk)))) yield finding(own, "has no account");
  }
  for (const { key: claim, value } of all("email")) {
    if (at("user", key.user(value.userId))?.email !== named(claim.pk)) yield finding(claim, "is no account's address");
  }
  for (const { key: claim, value } of all("username")) {
    const user = at("user", key.user(value.userId));
    if (user?.username !== named(claim.pk)) yield finding(claim, "is no account's username");
  }
};

/** The numbers of accounts are those of the rows whose ids end with their digit; all are closed where the site takes no accounts. */
const userCounts = function* ({ all, at }: Table): Findings {
  const rows = groupBy(all("userRow"), ({ key: row }) => key.userCount(row.sk).sk);
  for (const digit of new Set([...rows.keys(), ...all("userCount").map(({ key: { sk } }) => sk)])) {
    const count = at("userCount", key.userCount(digit))?.count ?? 0;
    const accounts = rows.get(digit)?.length ?? 0;
    if (count !== accounts) yield finding(key.userCount(digit), `counts ${count} accounts and there are ${accounts}`);
  }
  const isOpen = at("site", key.site())?.allowSignup ?? true;
  for (const digit of "0123456789abcdef") {
    const closed = at("userCount", key.userCount(digit))?.closed ?? false;
    if (closed === isOpen) yield finding(key.userCount(digit), `signup is ${closed ? "closed" : "open"} here alone`);
  }
};

/** The site's owner has an account, as owner. */
const site = function* ({ all, at }: Table): Findings {
  for (const { key: site, value } of all("site")) {
    if (at("user", key.user(value.ownerId))?.role !== "owner") yield finding(site, "names no owner");
  }
};

/** Boards and roadmaps hold the claims of their urls, and all claims are held; the order names each roadmap and nothing else. */
const catalogue = function* ({ all, at, has }: Table): Findings {
  for (const { key: board, value } of all("board")) {
    if (at("boardUrl", key.boardUrl(value.url))?.boardId !== value.boardId) yield finding(board, "lacks its url claim");
  }
  for (const { key: claim, value } of all("boardUrl")) {
    if (at("board", key.board(value.boardId))?.url !== named(claim.pk)) yield finding(claim, "is no board's url");
  }
  const indexes = at("roadmapOrder", key.roadmapOrder())?.indexes ?? {};
  for (const { key: roadmap, value } of all("roadmap")) {
    const claim = at("roadmapUrl", key.roadmapUrl(value.url));
    if (claim?.roadmapId !== value.roadmapId) yield finding(roadmap, "lacks its url claim");
    if (!Object.hasOwn(indexes, value.roadmapId)) yield finding(roadmap, "has no place in the order");
  }
  for (const { key: claim, value } of all("roadmapUrl")) {
    if (at("roadmap", key.roadmap(value.roadmapId))?.url !== named(claim.pk))
      yield finding(claim, "is no roadmap's url");
  }
  for (const id of Object.keys(indexes)) {
    if (!has("roadmap", key.roadmap(id))) yield finding(key.roadmapOrder(), `orders ${id}, which does not exist`);
  }
};

/** Whether a list exists: the board or roadmap that it belongs to does. */
const isLive = ({ has }: Table, list: string): boolean =>
  list === "ALL" || has("board", { ...key.board(""), sk: list }) || has("roadmap", { ...key.roadmap(""), sk: list });

const isBeingSwept = ({ has }: Table, deleted: string): boolean => has("tombstone", key.tombstone(deleted));

const listsOf = (table: Table, { boardId, roadmapId }: PostRecord): string[] => {
  const named: string[] = ["ALL"];
  if (boardId !== undefined) named.push(`BOARD#${boardId}`);
  if (roadmapId !== undefined) named.push(`ROADMAP#${roadmapId}`);
  return named.filter((list) => isLive(table, list));
};

/** A post has its voters, its author's entry and its rows, and each of them its post; boards count theirs. */
const posts = function* (table: Table): Findings {
  const { all, at, has } = table;
  for (const { key: stored, value: post } of all("post")) {
    const { postId, author } = post;
    if (!has("voters", key.voters(postId))) yield finding(stored, "has no voters item");
    if (!has("userPost", key.userPost(author.userId, postId))) yield finding(stored, "is not among its author's posts");
    for (const list of listsOf(table, post)) {
      if (!has("row", { pk: `LIST#${list}`, sk: postId })) yield finding(stored, `has no row in ${list}`);
    }
  }
  for (const { key: voters, value } of all("voters")) {
    if (!has("post", key.post(value.postId))) yield finding(voters, "has no post");
  }
  for (const { key: entry } of all("userPost")) {
    const post = at("post", key.post(named(entry.sk)));
    if (post?.author.userId !== named(entry.pk)) yield finding(entry, "is no post of this user");
  }
  const ofBoard = groupBy(all("post"), ({ value }) => value.boardId ?? "");
  for (const { key: board, value } of all("board")) {
    const posts = ofBoard.get(value.boardId)?.length ?? 0;
    if (value.postCount !== posts) yield finding(board, `counts ${value.postCount} posts and has ${posts}`);
  }
};

/** Rows name posts that are in their list; those of a deleted board or roadmap wait for the sweeper. */
const rows = function* (table: Table): Findings {
  for (const { key: row, value } of table.all("row")) {
    const list = listOf(row);
    if (isBeingSwept(table, list)) continue;
    const post = table.at("post", key.post(row.sk));
    if (!post) yield finding(row, "has no post");
    else if (!listsOf(table, post).includes(list)) yield finding(row, "is not where its post is");
    else {
      const boardId = list.startsWith("ROADMAP#") ? post.boardId : undefined;
      if (value.boardId !== boardId) yield finding(row, `names board ${value.boardId} instead of ${boardId}`);
    }
  }
};

/** Each day count is the number of its rows. */
const dayCounts = function* (table: Table): Findings {
  const days = groupBy(table.all("row"), ({ key: row }) => `${listOf(row)} ${dayOf(row.sk)}`);
  const counted = new Set<string>();
  for (const { key: counts, value } of table.all("counts")) {
    const list = listOf(counts);
    if (isBeingSwept(table, list)) continue;
    if (!isLive(table, list)) yield finding(counts, "counts a list that does not exist");
    for (const [day, count] of Object.entries(value)) {
      if (!/^\d\d$/.test(day)) continue;
      const name = `${list} ${counts.sk}-${day}`;
      counted.add(name);
      const rows = days.get(name)?.length ?? 0;
      if (count !== rows) yield finding(counts, `counts ${count} on day ${day} and has ${rows} rows`);
    }
  }
  for (const [name, [first]] of days) {
    if (first && !counted.has(name) && !isBeingSwept(table, listOf(first.key))) {
      yield finding(first.key, "is on a day that is not counted");
    }
  }
};

const seatsOf = (votes: VoteRecord[]): VoteRecord[] =>
  votes
    .toSorted((a, b) => (a.voteId < b.voteId ? -1 : 1))
    .slice(0, SEATS)
    .map(({ voteId, userId, name, username }) => ({ voteId, userId, name, username }));

/** The voters item counts the votes, and names the earliest of them. */
const voters = function* ({ all }: Table): Findings {
  const votesOf = groupBy(all("vote"), ({ key: vote }) => named(vote.pk));
  for (const { key: stored, value } of all("voters")) {
    const { postId, count, cast, first, edge } = value;
    const votes = (votesOf.get(postId) ?? []).map((vote) => vote.value);
    if (count !== votes.length) yield finding(stored, `counts ${count} votes and has ${votes.length}`);
    if (cast < count) yield finding(stored, `counts ${count} votes of ${cast} that were cast`);
    if (!isSame(first, seatsOf(votes))) yield finding(stored, "does not name the earliest votes first");
    const seated = new Set(first.map(({ voteId }) => voteId));
    const outside = votes.filter(({ voteId }) => !seated.has(voteId));
    if (cast > 0 && edge === undefined) yield finding(stored, "has no edge");
    if (first.some(({ voteId }) => voteId > (edge ?? ""))) yield finding(stored, "seats a vote beyond its edge");
    if (outside.some(({ voteId }) => voteId <= (edge ?? "")))
      yield finding(stored, "has a vote waiting before its edge");
  }
};

/** Every vote belongs to a post and to its user's votes, and the other way round; a tombstone excuses the missing post. */
const votes = function* (table: Table): Findings {
  const { all, at, has } = table;
  for (const { key: vote, value } of all("vote")) {
    const postId = named(vote.pk);
    const swept = isBeingSwept(table, postId);
    const own = at("userVote", key.userVote(value.userId, postId));
    if (!swept && !has("post", key.post(postId))) yield finding(vote, "is on no post");
    if (own?.voteId !== value.voteId && !(swept && !own)) yield finding(vote, "is not its user's vote");
  }
  for (const { key: own, value } of all("userVote")) {
    const vote = at("vote", key.vote(value.postId, value.voteId));
    // Without its vote the sweeper would never come to it: a tombstone is no excuse.
    if (vote?.userId !== named(own.pk)) yield finding(own, "has no vote");
  }
};

/** Posts and votes tell the name of their account, unless a rename is still being written into them; what is being swept may tell any. */
const names = function* (table: Table): Findings {
  const { all, at } = table;
  const underWay = new Set(all("rename").map(({ value }) => value.userId));
  const isRight = ({ userId, name, username }: Person): boolean => {
    const user = at("user", key.user(userId));
    return !user || underWay.has(userId) || (user.name === name && user.username === username);
  };
  for (const { key: post, value } of all("post")) if (!isRight(value.author)) yield finding(post, "tells another name");
  for (const { key: vote, value } of all("vote")) {
    if (!isRight(value) && !isBeingSwept(table, named(vote.pk))) yield finding(vote, "tells another name");
  }
};

/** What is deleted is gone. */
const tombstones = function* (table: Table): Findings {
  for (const { key: tombstone } of table.all("tombstone")) {
    const isList = tombstone.sk.includes("#");
    const isThere = isList ? isLive(table, tombstone.sk) : table.has("post", key.post(tombstone.sk));
    if (isThere) yield finding(tombstone, "is of something that still exists");
  }
};

const checks = [accounts, userCounts, site, catalogue, posts, rows, dayCounts, voters, votes, names, tombstones];

/** Checks items as a whole table. */
export const findingsIn = (items: Item[]): Finding[] => {
  const { table, findings } = sort(items);
  return [...findings, ...checks.flatMap((check) => [...check(table)])];
};

/** Reads every item of the table. */
export const scan = async (): Promise<Item[]> => {
  const items: Item[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await documentClient().send(
      new ScanCommand({ TableName: settings().tableName, ConsistentRead: true, ExclusiveStartKey }),
    );
    items.push(...(Items as Item[]));
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
};

/** Checks the whole table, which nobody may write to meanwhile; finds nothing where all is well. */
export const check = async (): Promise<Finding[]> => findingsIn(await scan());
