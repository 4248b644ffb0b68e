import * as z from "zod/mini";
import * as site from "../../lib/accounts/site.ts";
import { UserItem } from "../../lib/accounts/users.ts";
import * as catalogue from "../../lib/catalogue/catalogue.ts";
import { key } from "../../lib/table/keys.ts";
import { range } from "../../lib/table/ranges.ts";
import { getMany } from "../../lib/table/reads.ts";
import { NIL } from "../../lib/values/ids.ts";
import type { OwnRow } from "../import/own-form.ts";
import { inGroups, type Work } from "../import/work.ts";
import { OtherSlugs } from "./other-slugs.ts";
import { paged } from "./paged.ts";
import { allPosts, type WholePost, wholePost } from "./posts.ts";
import * as rows from "./rows.ts";
import { secretsOf } from "./secrets.ts";

// The walk through all of a site. While people use the site, what a row names may be newer than the rows that stand
// above: then it is read and written before that row. What is gone by then is left out. So no row names another one
// that is not in the file.

const PAGE = 100;
const AT_A_TIME = 8;

type Options = {
  work: Work;
  /** Whether hashes and secrets are read too. */
  withCredentials: boolean;
  onPosts?: (count: number) => void;
};

/** Yields the rows of an export, always in the same order. */
export async function* rowsOfSite(options: Options): AsyncGenerator<OwnRow, void, undefined> {
  const walk = new SiteWalk(options);
  yield* walk.catalogue();
  yield* walk.accounts();
  yield* walk.site();
  yield* walk.posts();
}

class SiteWalk {
  readonly #options: Options;
  readonly #slugs: OtherSlugs;
  readonly #accounts = new Set<string>();
  readonly #entries = new Set<string>();
  // What was looked for in vain: deleted accounts, boards and roadmaps.
  readonly #gone = new Set<string>();
  #statuses: rows.Known["statuses"] = [];

  constructor(options: Options) {
    this.#options = options;
    this.#slugs = new OtherSlugs(options.work);
  }

  get #known(): rows.Known {
    const among = (ids: Set<string>) => (id: string | undefined) => (id !== undefined && ids.has(id) ? id : undefined);
    return {
      account: among(this.#accounts),
      board: among(this.#entries),
      roadmap: among(this.#entries),
      statuses: this.#statuses,
    };
  }

  /** The statuses, boards and roadmaps that have not been yielded. */
  async *catalogue(): AsyncGenerator<OwnRow, void, undefined> {
    const found = await this.#options.work(catalogue.read);
    const before = new Set(this.#statuses.map(({ statusId }) => statusId));
    this.#statuses = found.statuses;
    for (const status of found.statuses) if (!before.has(status.statusId)) yield rows.statusRow(status);
    for (const board of found.boards) if (this.#isNew(board.boardId)) yield rows.boardRow(board);
    for (const roadmap of found.roadmaps) if (this.#isNew(roadmap.roadmapId)) yield rows.roadmapRow(roadmap);
  }

  #isNew(entryId: string): boolean {
    const isNew = !this.#entries.has(entryId);
    this.#entries.add(entryId);
    return isNew;
  }

  async *accounts(): AsyncGenerator<OwnRow, void, undefined> {
    const Row = z.object({ sk: z.string() });
    const walk = { range: range.userRows(), schema: Row, skOf: ({ sk }: z.output<typeof Row>) => sk, pageSize: PAGE };
    for await (const page of paged(this.#options.work, walk)) yield* this.#accountsWith(page.map(({ sk }) => sk));
  }

  /** The accounts of these ids, in their order; an account that is gone is left out. */
  async *#accountsWith(userIds: string[]): AsyncGenerator<OwnRow, void, undefined> {
    const users = await this.#options.work(() => getMany(userIds.map(key.user), UserItem));
    const secrets = this.#options.withCredentials ? await secretsOf(this.#options.work, users) : undefined;
    const found = new Map(users.map((user) => [user.userId, user]));
    for (const userId of userIds) {
      const user = found.get(userId);
      if (!user) continue;
      this.#accounts.add(userId);
      yield rows.accountRow(user, secrets?.get(userId));
    }
  }

  async *site(): AsyncGenerator<OwnRow, void, undefined> {
    const found = await this.#options.work(site.find);
    if (!found) return;
    yield* this.#missingAccounts([found.ownerId]);
    yield rows.siteRow(found);
  }

  async *posts(): AsyncGenerator<OwnRow, void, undefined> {
    const { work, onPosts = () => {} } = this.#options;
    for await (const page of allPosts(work)) {
      for (const some of inGroups(page, AT_A_TIME)) {
        const whole = await Promise.all(some.map((found) => wholePost(work, found)));
        for (const each of whole) if (each) yield* this.#rowsOfPost(each);
        onPosts(some.length);
      }
    }
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
    for (const { sk: account, on } of follows)
      if (known.account(account)) yield { kind: "follow", post: post.postId, account, on };
  }

  /** The boards, roadmaps and statuses that a post names and that are newer than what was read of them. */
  async *#missingEntries({ post }: WholePost): AsyncGenerator<OwnRow, void, undefined> {
    const { boardId, roadmapId, status } = post;
    const missing = [boardId, roadmapId].filter(
      (id) => id !== undefined && !this.#entries.has(id) && !this.#gone.has(id),
    );
    const hasStatus = this.#statuses.some(({ letter }) => letter === status);
    if (hasStatus && missing.length === 0) return;
    yield* this.catalogue();
    for (const id of missing) if (id !== undefined && !this.#entries.has(id)) this.#gone.add(id);
  }

  async *#missingAccounts(userIds: string[]): AsyncGenerator<OwnRow, void, undefined> {
    const isMissing = (userId: string) => !this.#accounts.has(userId) && !this.#gone.has(userId);
    const missing = [...new Set(userIds)].filter(isMissing).sort();
    if (missing.length > 0) yield* this.#accountsWith(missing);
    for (const userId of missing.filter(isMissing)) this.#gone.add(userId);
  }
}

/** The accounts that the rows of a post name. A vote without a voter names itself. */
function accountsIn({ post, votes, comments, changes, follows }: WholePost): string[] {
  const named = [
    post.author.userId,
    post.by,
    post.response?.by,
    ...votes.filter(({ voteId, userId }) => voteId !== userId).map(({ userId }) => userId),
    ...votes.map(({ by }) => by),
    ...comments.map(({ author }) => author.userId),
    ...comments.map(({ editedBy }) => editedBy),
    ...changes.map(({ by }) => by),
    ...follows.map(({ sk }) => sk),
  ];
  return named.filter((userId) => userId !== undefined && userId !== NIL) as string[];
}
