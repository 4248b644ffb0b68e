import { expect } from "vitest";
import { work as sweep } from "../../../functions/background/sweep.ts";
import { changedItems } from "../../../infra/local/changed-items.ts";
import { derive } from "../../../lib/cleanup/derived-rows.ts";
import * as posts from "../../../lib/posts/posts.ts";
import { postOrVotersItem } from "../../../lib/posts/posts.ts";
import { type Key, postIdIn } from "../../../lib/table/keys.ts";
import { range } from "../../../lib/table/ranges.ts";
import { getRange } from "../../../lib/table/reads.ts";
import { newId, timeOf } from "../../../lib/values/ids.ts";
import { trendingTime } from "../../../lib/values/trend.ts";
import * as voting from "../../../lib/votes/voting.ts";
import { carryOutAll } from "../../support/http/invoke.ts";
import { addPosts, castAll } from "../../support/world/bulk.ts";
import { aBoard, aPost, aRoadmap, aStranger, aTag, aUser, type Person, postOf } from "../../support/world/fixtures.ts";
import type { Random } from "../../support/world/random.ts";

// A site that changes at random, and beside it a model: the posts and their votes in plain maps, from which the answer
// to each question about lists follows.

const DAY = 86_400_000;
const WEEK = 7 * DAY;
const START = Date.UTC(2025, 10, 1);
const STATUSES = ["open", "planned", "started", "completed"] as const;
const LETTERS: Record<string, string | undefined> = { open: undefined, planned: "a", started: "b", completed: "c" };

/** A post and when each of its voters voted. */
type Modelled = { record: posts.PostRecord; votes: Map<string, number> };

export type Filter = Record<"boardId" | "roadmapId" | "status" | "tag", unknown>;

export class ModelledSite {
  readonly author: Person;
  readonly owner: Person;
  /** The last one is hidden. */
  readonly #boardIds: string[];
  /** The last one is hidden. */
  readonly #roadmapIds: string[];
  readonly #tagIds: string[];
  readonly #dice: Random;
  readonly #posts = new Map<string, Modelled>();
  readonly #people = Array.from({ length: 90 }, aStranger);
  readonly #changed = changedItems(["POSTS"]);

  private constructor(
    dice: Random,
    author: Person,
    owner: Person,
    ids: Record<"boards" | "roadmaps" | "tags", string[]>,
  ) {
    this.#dice = dice;
    this.author = author;
    this.owner = owner;
    this.#boardIds = ids.boards;
    this.#roadmapIds = ids.roadmaps;
    this.#tagIds = ids.tags;
  }

  /** A hundred posts of four months. Half of them get no vote, a few get many. */
  static async make(dice: Random): Promise<ModelledSite> {
    const author = await aUser();
    const owner = await aUser("owner");
    const boardIds: string[] = [];
    for (let n = 1; n <= 4; n++) boardIds.push((await aBoard({ display: n < 4 })).boardId);
    const roadmapIds = [(await aRoadmap()).roadmapId, (await aRoadmap({ display: false })).roadmapId];
    const tagIds = [(await aTag()).tagId, (await aTag()).tagId, (await aTag()).tagId];
    const ids = { boards: boardIds, roadmaps: roadmapIds, tags: tagIds };
    const site = new ModelledSite(dice, author, owner, ids);
    await site.#fill();
    return site;
  }

  async #fill(): Promise<void> {
    const records = Array.from({ length: 100 }, () => this.#drawn());
    await addPosts(records);
    for (const record of records) this.#add(record);
    for (const post of this.#posts.values()) {
      const count = this.#dice.oneOf([0, 0, 0, 1, 1, 2, 3, 7, 20, 80]);
      await this.#cast(post, this.#some(count));
    }
  }

  #drawn(): posts.PostRecord {
    const place = this.#somewhere();
    const status = LETTERS[this.#dice.oneOf([...STATUSES, "open", "open"])];
    return postOf(this.author, { ...place, status, tagIds: this.#someTags(), at: this.#someTime() });
  }

  #add(record: posts.PostRecord): void {
    this.#posts.set(record.postId, { record, votes: new Map() });
  }

  #somewhere() {
    const boardId = this.#dice.oneOf([...this.#boardIds, undefined]);
    return { boardId, roadmapId: this.#dice.oneOf([...this.#roadmapIds, undefined, undefined]) };
  }

  #someTags(): string[] | undefined {
    const some = this.#tagIds.filter(() => this.#dice.below(3) === 0);
    return some.length > 0 ? some : undefined;
  }

  #someTime(): number {
    const { below } = this.#dice;
    return START + (below(2) === 0 ? 60 * DAY + below(DAY) : below(120 * DAY));
  }

  #some(count: number) {
    const from = this.#dice.below(this.#people.length);
    return [...this.#people, ...this.#people].slice(from, from + count);
  }

  #one(): Modelled {
    return this.#dice.oneOf([...this.#posts.values()]);
  }

  /** Changes something. */
  async write(): Promise<void> {
    const writes = [
      () => this.#cast(this.#one(), this.#some(1 + this.#dice.below(3))),
      () => this.#takeAVoteBack(),
      () => this.#update((record) => posts.change(record, () => this.#somewhere())),
      () => this.#update((record) => posts.setStatus(record, { letter: LETTERS[this.#dice.oneOf([...STATUSES])] })),
      () => this.#update((record) => posts.change(record, () => ({ tagIds: this.#someTags() }))),
      () => this.#post(),
      () => this.#deleteOne(),
    ];
    await this.#dice.oneOf(writes)();
  }

  async #cast({ record: { postId }, votes }: Modelled, voters: ReturnType<typeof aStranger>[]): Promise<void> {
    const ballots = voters
      .filter(({ userId }) => !votes.has(userId))
      .map((person) => ({ ...person, at: timeOf(postId) + this.#dice.below(60 * DAY) }));
    await castAll(postId, ballots);
    // What came in bulk is not among the changes.
    await derive(postId);
    for (const { userId, at } of ballots) votes.set(userId, at);
  }

  async #takeAVoteBack(): Promise<void> {
    const { record, votes } = this.#one();
    const userId = this.#dice.oneOf([...votes.keys(), undefined]);
    if (!userId) return;
    await voting.takeBack(record.postId, userId, await voting.ownVote(record.postId, userId));
    votes.delete(userId);
  }

  async #update(change: (record: posts.PostRecord) => ReturnType<typeof posts.change>): Promise<void> {
    const post = this.#one();
    const record = await change(post.record);
    if (typeof record === "object") post.record = record;
  }

  async #post(): Promise<void> {
    const place = this.#somewhere();
    this.#add(await aPost(this.author, { ...place, at: this.#someTime() }));
  }

  async #deleteOne(): Promise<void> {
    const { record } = this.#one();
    await posts.destroy(record);
    await carryOutAll(sweep);
    this.#posts.delete(record.postId);
  }

  /** Ranks what changed, as the background function would. */
  async rank(): Promise<void> {
    await this.#changed.take(async (keys: Key[]) => {
      // A vote changes the voters item.
      for (const { sk } of keys) await derive(postIdIn(sk));
    });
  }

  someFilter(): Filter {
    const { oneOf } = this.#dice;
    const [first, second, , hidden] = this.#boardIds;
    return {
      boardId: oneOf([undefined, undefined, first, hidden, [second, newId()], this.#boardIds]),
      roadmapId: oneOf([undefined, undefined, ...this.#roadmapIds]),
      status: oneOf([undefined, undefined, "open", "planned", ["started", "unknown"], "unknown", [...STATUSES]]),
      tag: oneOf([undefined, undefined, undefined, this.#tagIds[0], this.#tagIds.slice(1), newId()]),
    };
  }

  /** The ids of all posts that a list shows to a reader, in its order. */
  async idsOf(sort: string, filter: Filter, by?: Person): Promise<string[]> {
    const matching = [...this.#posts.values()].filter(({ record }) => this.#matches(record, filter, by));
    const ranks = await this.#ranks(sort, matching);
    // By rank, if the order has one, and then by age.
    const sorted = matching.map(({ record: { postId } }) => ({ id: postId, rank: ranks.get(postId) ?? 0 }));
    sorted.sort((a, b) => a.rank - b.rank || (a.id < b.id ? -1 : 1));
    if (sort !== "oldest") sorted.reverse();
    return sorted.map(({ id }) => id);
  }

  #matches(record: posts.PostRecord, { boardId, roadmapId, status, tag }: Filter, by?: Person): boolean {
    const isSeen = (id: unknown) =>
      by === this.owner || (id !== this.#boardIds.at(-1) && id !== this.#roadmapIds.at(-1));
    const isOnBoard = boardId === undefined || [boardId].flat().some((id) => id === record.boardId && isSeen(id));
    const isOnRoadmap = roadmapId === undefined || (record.roadmapId === roadmapId && isSeen(roadmapId));
    const has = (id: unknown) => String(id) in LETTERS && LETTERS[String(id)] === record.status;
    const hasTag = tag === undefined || [tag].flat().some((id) => record.tagIds?.includes(String(id)));
    return isOnBoard && isOnRoadmap && (status === undefined || [status].flat().some(has)) && hasTag;
  }

  async #ranks(sort: string, shown: Modelled[]): Promise<Map<string, number>> {
    if (sort === "trending") return this.#trendingTimes();
    if (sort === "top") return new Map(shown.map(({ record, votes }) => [record.postId, votes.size]));
    return new Map();
  }

  async #trendingTimes(): Promise<Map<string, number>> {
    const voters = (await getRange(range.posts(), postOrVotersItem)).filter((item) => "trend" in item);
    const trends = new Map(voters.map(({ postId, trend }) => [postId, trend]));
    const times = new Map<string, number>();
    for (const { record, votes } of this.#posts.values()) {
      const time = trendingTime(timeOf(record.postId), trends.get(record.postId) ?? new Map());
      expectTrend(time, [timeOf(record.postId), ...votes.values()]);
      times.set(record.postId, time);
    }
    return times;
  }
}

/** The plain sum, in floating point: the product rounds weights to a part of 2,000. */
function expectTrend(trendingAt: number, times: number[]): void {
  const latest = Math.max(...times);
  const sum = times.reduce((total, time) => total + 2 ** ((time - latest) / WEEK), 0);
  expect(Math.abs(trendingAt - latest - WEEK * Math.log2(sum))).toBeLessThan(10 * 60_000);
}
