import { beforeAll, describe, expect } from "vitest";
import * as posts from "../../../lib/posts/posts.ts";
import type { StatusLetter } from "../../../lib/values/statuses.ts";
import { invoke } from "../../support/http/invoke.ts";
import { addPosts } from "../../support/world/bulk.ts";
import { aBoard, aRoadmap, aUser, type Person, postOf } from "../../support/world/fixtures.ts";
import { generated } from "../../support/world/generated.ts";
import { type Random, random } from "../../support/world/random.ts";

const HOUR = 3_600_000;
const START = Date.parse("2025-01-30T00:00:00.000Z");

let author: Person;
const boards: string[] = [];
const roadmaps: string[] = [];

/** A moment of five days around the end of a month, one of them busy. */
function someTime({ below }: Random): number {
  return START + (below(2) === 0 ? 2 * 24 * HOUR + below(24 * HOUR) : below(5 * 24 * HOUR));
}

const LETTERS: Record<string, StatusLetter | undefined> = {
  open: undefined,
  planned: "a",
  started: "b",
  completed: "c",
  declined: "d",
};

function somePlace(dice: Random) {
  return {
    boardId: dice.below(8) === 0 ? undefined : dice.oneOf(boards),
    roadmapId: dice.below(3) === 0 ? dice.oneOf(roadmaps) : undefined,
    status: dice.below(2) === 0 ? undefined : dice.oneOf(Object.values(LETTERS)),
  };
}

type Filter = { boardId?: string | string[]; roadmapId?: string; status?: string | string[] };

/** What a filter of visible places lets through, oldest first. */
function matching(all: posts.PostRecord[], { boardId, roadmapId, status }: Filter): string[] {
  const letters = [status ?? []].flat().map((id) => LETTERS[id]);
  return all
    .filter((post) => boardId === undefined || [boardId].flat().some((id) => id === post.boardId))
    .filter((post) => !roadmapId || post.roadmapId === roadmapId)
    .filter((post) => status === undefined || letters.includes(post.status))
    .map(({ postId }) => postId)
    .sort();
}

/** When something was under way, by a clock that ticks at every event. */
type Span = { begun: number; ended: number };

type Change = Span & { post: posts.PostRecord; deletes: boolean };

type Others = { changes: Change[]; tick: () => number };

/** Runs some work while others create posts and delete them again, three at a time. */
async function whileOthers(dice: Random, time: () => number, work: (others: Others) => Promise<void>): Promise<void> {
  let clock = 0;
  let stopped = false;
  const changes: Change[] = [];
  const timed = async (post: posts.PostRecord, deletes: boolean): Promise<void> => {
    const change = { post, deletes, begun: ++clock, ended: Number.POSITIVE_INFINITY };
    changes.push(change);
    await (deletes ? posts.destroy(post) : posts.add(post));
    change.ended = ++clock;
  };
  const goOn = async (): Promise<void> => {
    const made: posts.PostRecord[] = [];
    while (!stopped) {
      const deletes = made.length > 3 + dice.below(10);
      const post = deletes
        ? made.splice(dice.below(made.length), 1)[0]
        : postOf(author, { at: time(), ...somePlace(dice) });
      if (!deletes) made.push(post as posts.PostRecord);
      await timed(post as posts.PostRecord, deletes);
    }
  };
  const busy = [goOn(), goOn(), goOn()];
  try {
    await work({ changes, tick: () => ++clock });
  } finally {
    stopped = true;
    await Promise.all(busy);
  }
}

type Page = Span & { ids: string[] };

const LIMIT = 10;

async function walk(request: object, byCursor: boolean, tick: () => number): Promise<Page[]> {
  const pages: Page[] = [];
  for (let page = 1, after: string | undefined; page < 100; page++) {
    const begun = tick();
    const paging = byCursor ? { first: LIMIT, ...(after ? { after } : {}) } : { page, limit: LIMIT };
    const { status, body } = await invoke("posts-list", { body: { ...request, ...paging }, token: author.token });
    expect(status).toBe(200);
    const ids = body.posts.map(({ postId }: { postId: string }) => postId);
    pages.push({ begun, ended: tick(), ids });
    after = body.page_info?.end_cursor ?? after;
    if (ids.length === 0 || (byCursor && !body.page_info.has_next_page)) break;
  }
  return pages;
}

/** What holds of a page; `untouched` are the posts that nobody touches, in the order of the list. */
function checkPage({ ids, begun }: Page, untouched: string[], created: string, changes: Change[]): void {
  const comesBefore = (a = "", b = "") => (created === "asc" ? a < b : a > b);
  for (const [at, id] of ids.slice(1).entries()) expect(comesBefore(ids[at], id)).toBe(true);
  const dead = new Set(changes.filter(({ deletes, ended }) => deletes && ended < begun).map(({ post }) => post.postId));
  expect(ids.filter((id) => dead.has(id))).toEqual([]);
  const seen = ids.filter((id) => untouched.includes(id));
  const from = untouched.indexOf(seen[0] ?? "");
  expect(seen).toEqual(seen.length > 0 ? untouched.slice(from, from + seen.length) : []);
  // Short only where the list ends.
  if (ids.length > 0 && ids.length < LIMIT) expect(comesBefore(ids.at(-1), untouched.at(-1))).toBe(false);
}

/** At most as many untouched posts repeated or left out as posts of the list changed between two pages. */
function checkWalk(pages: Page[], untouched: string[], slack: (from: Page, to: Page) => number): void {
  let next = 0;
  let last: Page | undefined;
  for (const page of pages) {
    const seen = page.ids.filter((id) => untouched.includes(id));
    if (seen.length === 0) continue;
    const from = untouched.indexOf(seen[0] as string);
    expect(Math.abs(from - next)).toBeLessThanOrEqual(last ? slack(last, page) : 0);
    next = from + seen.length;
    last = page;
  }
  const end = pages.at(-1) as Page;
  expect(untouched.length - next).toBeLessThanOrEqual(last ? slack(last, end) : 0);
}

describe("POST /posts/get while others create and delete", () => {
  let made: posts.PostRecord[];

  beforeAll(async () => {
    author = await aUser();
    for (let n = 1; n <= 4; n++) boards.push((await aBoard({ display: n < 4 })).boardId);
    for (let n = 1; n <= 2; n++) roadmaps.push((await aRoadmap({ display: n < 2 })).roadmapId);
    const dice = random(1);
    made = Array.from({ length: 50 }, () => postOf(author, { at: someTime(dice), ...somePlace(dice) }));
    await addPosts(made);
  });

  const requests = (): { filter: Filter; created: "asc" | "desc" }[] =>
    [
      {},
      { boardId: boards[0] as string },
      { boardId: boards.slice(0, 3) },
      { roadmapId: roadmaps[0] as string },
      { status: ["open", "planned"] },
      { boardId: boards.slice(0, 3), status: "open" },
    ].flatMap((filter) => [
      { filter, created: "asc" as const },
      { filter, created: "desc" as const },
    ]);

  /** Each filter in one of the orders, at least once, and again and again until something holds. */
  const until = function* (first: number, holds: () => boolean) {
    do yield* requests().filter((_, n) => (n + (n >> 1)) % 2 === first);
    while (!holds());
  };

  const untouchedIn = (filter: Filter, created: string): string[] => {
    const all = matching(made, filter);
    return created === "asc" ? all : all.reverse();
  };

  for (const byCursor of [false, true]) {
    const what = byCursor ? "pages by cursor" : "numbered pages";
    // The other writes depend on timing too, so that a seed does not repeat everything.
    generated(
      `shows no deleted posts and no short pages, and in ${what} repeats and gaps only by changes`,
      async (dice) => {
        const anywhere = () => someTime(dice);
        await whileOthers(dice, anywhere, async ({ changes, tick }) => {
          for (const { filter, created } of until(byCursor ? 1 : 0, () => changes.length > dice.times(60))) {
            const pages = await walk({ ...filter, created }, byCursor, tick);
            const untouched = untouchedIn(filter, created);
            for (const [at, page] of pages.entries()) {
              checkPage(page, untouched, created, changes);
              // There are at least as many posts as nobody touches.
              if (!byCursor)
                expect(page.ids.length).toBeGreaterThanOrEqual(Math.min(LIMIT, untouched.length - at * LIMIT));
            }
            const changed = changes.filter(({ post }) => matching([post], filter).length > 0);
            // A cursor continues after its post, so that nothing that stays is repeated or left out.
            const slack = (from: Page, to: Page) =>
              byCursor ? 0 : changed.filter(({ begun, ended }) => begun <= to.ended && ended >= from.begun).length;
            checkWalk(pages, untouched, slack);
          }
        });
      },
    );
  }

  generated("repeats and leaves out nothing in numbered pages where all changes come later", async (dice) => {
    const later = () => START + (6 * 24 + dice.below(48)) * HOUR;
    await whileOthers(dice, later, async ({ changes, tick }) => {
      for (const { filter, created } of requests().filter((each) => each.created === "asc")) {
        const pages = await walk({ ...filter, created }, false, tick);
        const untouched = untouchedIn(filter, created);
        for (const page of pages) checkPage(page, untouched, created, changes);
        checkWalk(pages, untouched, () => 0);
      }
    });
  });
});
