import * as z from "zod/mini";
import * as site from "../accounts/site.ts";
import { UserItem, type UserRecord } from "../accounts/users.ts";
import { inOrder } from "../catalogue/board-order.ts";
import * as catalogue from "../catalogue/catalogue.ts";
import { isReported, type Waiting, WaitingItem } from "../posts/held.ts";
import type { PostRecord, PostWithVoters } from "../posts/posts.ts";
import { key } from "../table/keys.ts";
import { range, restAfter } from "../table/ranges.ts";
import { getMany } from "../table/reads.ts";
import { NIL } from "../values/ids.ts";
import type { OwnRow } from "./form.ts";
import { type Merges, mergesNow, refuseFurther, type WholeMerged } from "./merged.ts";
import { OtherSlugs } from "./other-slugs.ts";
import { paged } from "./paged.ts";
import { allPosts, type WholePost, wholePost } from "./posts.ts";
import * as rows from "./rows.ts";
import type { Work } from "./work.ts";

// The walk through all of a site. While people use the site, what a row names may be newer than the rows that stand
// above: then it is read and written before that row. What is gone by then is left out. So no row names another one
// that is not in the file.

const PAGE = 100;
const AT_A_TIME = 8;
const VOTES_AT_A_TIME = 20_000;

type Options = {
  work: Work;
  /** Reads what lets people into these accounts, by their ids. */
  secretsOf?: (work: Work, users: UserRecord[]) => Promise<Map<string, rows.Secrets>>;
  /** When the walk has to end (ms since 1970): a post that changes is not read again then, and none is waited for. */
  endsAt?: number;
};

/** The ids of what stands in the file: accounts; statuses, boards, roadmaps and tags. */
export type Written = { accounts: Set<string>; entries: Set<string> };

/** Where a walk continues: after an account or a post. It knows the merges from before the walk. */
export type Place = {
  part: "catalogue" | "accounts" | "posts" | "held";
  after?: string | undefined;
  merges?: Merges | undefined;
};

/** Some rows, and where the walk continues behind them. */
export type Batch = { rows: OwnRow[]; next: Place };

/**
 * Yields the rows of an export, always in the same order. A walk that was interrupted continues at a place. Throws
 * MergedMeanwhile if posts were merged, or taken out of a merge, since it began.
 */
export async function* batchesOfSite(
  options: Options,
  place: Place = { part: "catalogue" },
  written: Written = { accounts: new Set(), entries: new Set() },
): AsyncGenerator<Batch, void, undefined> {
  const merges = place.merges ?? (await mergesNow(options.work));
  await refuseFurther(options.work, merges);
  for await (const { rows, next } of batchesFrom(place, new SiteWalk(options, written)))
    yield { rows, next: { ...next, merges } };
  await refuseFurther(options.work, merges);
}

async function* batchesFrom({ part, after }: Place, walk: SiteWalk): AsyncGenerator<Batch, void, undefined> {
  if (part === "catalogue") yield await walk.catalogue();
  if (part === "catalogue" || part === "accounts") yield* walk.accounts(after);
  if (part !== "held") yield* walk.posts(part === "posts" ? after : undefined);
  yield* walk.held(part === "held" ? after : undefined);
}

async function all<T>(rows: AsyncGenerator<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

/** Posts that are read together: some, and of those with many votes fewer. */
function groupsOf(page: PostWithVoters[]): PostWithVoters[][] {
  const groups: PostWithVoters[][] = [];
  let votes = 0;
  for (const found of page) {
    const last = groups.at(-1);
    votes += found.voters.count;
    if (last && last.length < AT_A_TIME && votes <= VOTES_AT_A_TIME) {
      last.push(found);
      continue;
    }
    groups.push([found]);
    votes = found.voters.count;
  }
  return groups;
}

const Row = z.object({ sk: z.string() });

class SiteWalk {
  readonly #options: Options;
  readonly #slugs: OtherSlugs;
  readonly #written: Written;
  // What was looked for in vain: deleted accounts, boards, roadmaps and tags.
  readonly #gone = new Set<string>();
  #statuses: rows.Known["statuses"] = [];

  constructor(options: Options, written: Written) {
    this.#options = options;
    this.#written = written;
    this.#slugs = new OtherSlugs(options.work);
  }

  get #known(): rows.Known {
    const among = (ids: Set<string>) => (id: string | undefined) => (id !== undefined && ids.has(id) ? id : undefined);
    return {
      account: among(this.#written.accounts),
      board: among(this.#written.entries),
      roadmap: among(this.#written.entries),
      tag: among(this.#written.entries),
      statuses: this.#statuses,
    };
  }

  async catalogue(): Promise<Batch> {
    return { rows: await all(this.#newEntries()), next: { part: "accounts" } };
  }

  /** The statuses, boards, roadmaps and tags that have not been yielded. */
  async *#newEntries(): AsyncGenerator<OwnRow, void, undefined> {
    const found = await this.#options.work(catalogue.read);
    this.#statuses = found.statuses;
    for (const status of found.statuses) if (this.#isNew(status.statusId)) yield rows.statusRow(status);
    const boards = inOrder(found.boards, found.boardOrder);
    for (const board of boards) if (this.#isNew(board.boardId)) yield rows.boardRow(board);
    for (const roadmap of found.roadmaps) if (this.#isNew(roadmap.roadmapId)) yield rows.roadmapRow(roadmap);
    // In the order of their ids: their names may change during an export.
    const tags = found.tags.toSorted((a, b) => (a.tagId < b.tagId ? -1 : 1));
    for (const tag of tags) if (this.#isNew(tag.tagId)) yield rows.tagRow(tag);
  }

  #isNew(entryId: string): boolean {
    const isNew = !this.#written.entries.has(entryId);
    this.#written.entries.add(entryId);
    return isNew;
  }

  /** The accounts after one of them, and then the site. */
  async *accounts(after: string | undefined): AsyncGenerator<Batch, void, undefined> {
    const walk = {
      range: restAfter(range.userRows(), after),
      schema: Row,
      skOf: ({ sk }: z.output<typeof Row>) => sk,
      pageSize: PAGE,
    };
    for await (const page of paged(this.#options.work, walk)) {
      const userIds = page.map(({ sk }) => sk);
      const accounts = await all(this.#accountsWith(userIds));
      yield { rows: accounts, next: { part: "accounts", after: userIds.at(-1) } };
    }
    yield { rows: await all(this.#site()), next: { part: "posts" } };
  }

  /** The accounts of these ids, in their order; an account that is gone is left out. */
  async *#accountsWith(userIds: string[]): AsyncGenerator<OwnRow, void, undefined> {
    const users = await this.#options.work(() => getMany(userIds.map(key.user), UserItem));
    const secrets = await this.#options.secretsOf?.(this.#options.work, users);
    const found = new Map(users.map((user) => [user.userId, user]));
    for (const userId of userIds) {
      const user = found.get(userId);
      if (!user) continue;
      this.#written.accounts.add(userId);
      yield rows.accountRow(user, secrets?.get(userId));
    }
  }

  async *#site(): AsyncGenerator<OwnRow, void, undefined> {
    const found = await this.#options.work(site.find);
    if (!found) return;
    yield* this.#missingAccounts([found.ownerId]);
    yield rows.siteRow(found);
  }

  async *posts(after: string | undefined): AsyncGenerator<Batch, void, undefined> {
    const { work, endsAt } = this.#options;
    for await (const page of allPosts(work, after)) {
      for (const some of groupsOf(page)) {
        const whole = await Promise.all(some.map((found) => wholePost(work, found, endsAt)));
        const next: Place = { part: "posts", after: some.at(-1)?.post.postId };
        yield { rows: await all(this.#rowsOf(whole)), next };
      }
    }
  }

  /** The held posts and comments after one of them. Reports stay: the team decides them where they were made. */
  async *held(after: string | undefined): AsyncGenerator<Batch, void, undefined> {
    const walk = { range: range.held(after), schema: WaitingItem, skOf: ({ id }: Waiting) => id, pageSize: PAGE };
    for await (const page of paged(this.#options.work, walk)) {
      const held = page.filter((each) => !isReported(each));
      const found: OwnRow[] = await all(this.#missingAccounts(held.map(({ userId }) => userId)));
      for (const each of held) found.push(...[rows.heldRow(each, this.#known)].filter((row) => row !== undefined));
      yield { rows: found, next: { part: "held", after: page.at(-1)?.id } };
    }
  }

  async *#rowsOf(whole: (WholePost | undefined)[]): AsyncGenerator<OwnRow, void, undefined> {
    for (const each of whole) if (each) yield* this.#rowsOfPost(each);
  }

  async *#rowsOfPost(whole: WholePost): AsyncGenerator<OwnRow, void, undefined> {
    const { post, votes, comments, wasPublic, changes, follows } = whole;
    yield* this.#missingEntries(whole);
    yield* this.#missingAccounts(accountsIn(whole));
    const known = this.#known;
    yield rows.postRow(post, await this.#slugs.of(post.postId), known);
    for (const vote of votes) yield rows.voteRow(post.postId, vote, known);
    for (const comment of comments) yield rows.commentRow(comment, wasPublic.has(comment.commentId), known);
    for (const change of changes) yield rows.changeRow(change, known);
    for (const follow of follows) if (known.account(follow.sk)) yield rows.followRow(post.postId, follow);
    for (const merged of whole.merged) yield* this.#rowsOfMerged(merged, post.postId);
  }

  /** The rows of a post that was merged, below the post in which it continues. */
  async *#rowsOfMerged(whole: WholeMerged, into: string): AsyncGenerator<OwnRow, void, undefined> {
    const { merged, votes, comments, changes, follows } = whole;
    const { postId } = merged.post;
    const known = this.#known;
    yield rows.mergedRow(merged, into, await this.#slugs.ofMerged(postId), known);
    for (const vote of votes) yield rows.movedVoteRow(postId, vote, known);
    for (const ref of comments) yield { kind: "moved", post: postId, ref, what: "comment" };
    for (const change of changes) yield rows.changeRow(change, known);
    for (const follow of follows) if (known.account(follow.sk)) yield rows.followRow(postId, follow);
  }

  /** The boards, roadmaps, tags and statuses that a post names and that are newer than what was read of them. */
  async *#missingEntries({ post, merged }: WholePost): AsyncGenerator<OwnRow, void, undefined> {
    const all = [post, ...merged.map((each) => each.merged.post)];
    const named = all.flatMap(({ boardId, roadmapId, tagIds = [] }) => [boardId, roadmapId, ...tagIds]);
    const isMissing = (id: string) => !this.#written.entries.has(id) && !this.#gone.has(id);
    const missing = named.filter((id) => id !== undefined).filter(isMissing);
    const hasStatuses = all.every(({ status }) => this.#statuses.some(({ letter }) => letter === status));
    if (hasStatuses && missing.length === 0) return;
    yield* this.#newEntries();
    for (const id of missing.filter(isMissing)) this.#gone.add(id);
  }

  async *#missingAccounts(userIds: string[]): AsyncGenerator<OwnRow, void, undefined> {
    const isMissing = (userId: string) => !this.#written.accounts.has(userId) && !this.#gone.has(userId);
    const missing = [...new Set(userIds)].filter(isMissing).sort();
    if (missing.length > 0) yield* this.#accountsWith(missing);
    for (const userId of missing.filter(isMissing)) this.#gone.add(userId);
  }
}

/** The accounts that the rows of a post name. A vote without a voter names itself. */
function accountsIn({ post, votes, comments, changes, follows, merged }: WholePost): string[] {
  const named = [
    ...[post, ...merged.map((each) => each.merged.post)].flatMap(namedByPost),
    ...merged.map((each) => each.merged.mergedBy),
    ...merged.flatMap((each) => each.votes.map(({ by }) => by)),
    ...merged.flatMap((each) => each.changes.map(({ by }) => by)),
    ...merged.flatMap((each) => each.follows.map(({ sk }) => sk)),
    ...votes.filter(({ voteId, userId }) => voteId !== userId).map(({ userId }) => userId),
    ...votes.map(({ by }) => by),
    ...comments.map(({ author }) => author.userId),
    ...comments.map(({ editedBy }) => editedBy),
    ...changes.map(({ by }) => by),
    ...follows.map(({ sk }) => sk),
  ];
  return named.filter((userId) => userId !== undefined && userId !== NIL) as string[];
}

function namedByPost({ author, by, response }: PostRecord): (string | undefined)[] {
  return [author.userId, by, response?.by];
}
