import { beforeAll, describe, expect, it } from "vitest";
import { migrations } from "../../lib/migrations/index.ts";
import { GLOBALS, Program } from "../simulator/scheduler/program.ts";
import type { ClientReply } from "./fleet/gateway.ts";
import { bundleService } from "./program.ts";
import { MAX_ATTEMPTS, TABLE, World } from "./world/world.ts";

// The functions as they are, in containers of a simulation: they cannot tell it from AWS, and do right whatever the store does.

let program: Program;

beforeAll(async () => {
  program = await bundleService();
});

const PASSWORD = "correct horse battery staple";

/** A site with a board and a post, and people who can vote on it. */
async function world(seed: number, faults = "", run: Program = program) {
  const self = new World({ seed, faults, program: run });
  const { call, untilDone, complete, migrate, scheduler, service, fleet, trace, changes } = self;
  const user = async (number: number): Promise<string> => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const email = `user.${number}.${attempt}@example.com`;
      const { body, status } = await call("auth-sign-up", {
        body: { email, password: PASSWORD, name: `User ${number}` },
      });
      if (status === 201) return (body.user as { authToken: string }).authToken;
    }
    throw new Error(`no account was made in ${MAX_ATTEMPTS} attempts`);
  };
  await complete(
    untilDone("auth-set-up", {
      body: { siteName: "Site", email: "owner@example.com", password: PASSWORD, name: "Owner" },
    }),
  );
  const tokens = await complete(Promise.all(Array.from({ length: 8 }, (_, number) => user(number))));
  const boards = await complete(untilDone("boards-list", { token: tokens[0], query: {} }));
  const boardId = (boards.body.boards as { boardId: string }[])[0]?.boardId;
  const created = await complete(
    untilDone("posts-create", { token: tokens[0], body: { title: "A post", contentMarkdown: "", boardId } }),
  );
  const { postId, slug } = created.body.post as { postId: string; slug: string };
  return {
    scheduler,
    service,
    fleet,
    trace,
    changes,
    call,
    untilDone,
    migrate,
    complete,
    tokens,
    postId,
    slug,
    boardId,
  };
}

type Setting = Awaited<ReturnType<typeof world>>;

/** The votes on the post, by the table: their number in the voters item, and how many there are. */
function votesIn({ service, postId }: Setting) {
  const table = service.database.table(TABLE);
  const count = table.get({ partition: "POSTS", sort: `${postId}#VOTERS` })?.item.count;
  let votes = 0;
  let key = table.nextInPartition(`VOTES#${postId}`, undefined);
  for (; key; key = table.nextInPartition(key.partition, key.sort)) votes++;
  return { count: count && "N" in count ? Number(count.N) : undefined, votes };
}

const VOTE_FAULTS = `
  TransactWriteItems: conflict 15%, reset-after 5%, lost-answer 2%, in-progress 3%, stall 2% 50ms..2s, kill-after 1%, kill-before 1%
  Query: short-page 10%
  *: slow 5% 10ms..300ms, throttle 2%, 500-before 1%, 503 1%, cut-answer 1%`;

describe("the functions in a simulation", () => {
  it("serve, and the count of a post is exact", async () => {
    const self = await world(1);
    const votes = self.tokens.map((token) => self.call("votes-add", { token, body: { postId: self.postId } }));
    const replies = await self.complete(Promise.all(votes));
    expect(replies.map(({ status }) => status)).toEqual(self.tokens.map(() => 201));
    expect(votesIn(self)).toEqual({ count: 8, votes: 8 });
    const { body } = await self.complete(
      self.call("posts-by-slug", { token: self.tokens[0], body: { slug: self.slug } }),
    );
    expect(body.post).toMatchObject({ voters: { votesCount: 8 } });
  });

  it("serve through faults and deaths: what they acknowledge is what is there", async () => {
    const self = await world(2, VOTE_FAULTS);
    const random = self.scheduler.random.fork("votes");
    const certain = new Map<string, boolean | undefined>();
    const client = async (token: string): Promise<void> => {
      for (let round = 0; round < 12; round++) {
        const adds = random.chance(0.6);
        const before = certain.get(token) ?? false;
        const { status, body } = await self.call(adds ? "votes-add" : "votes-remove", {
          token,
          body: { postId: self.postId },
        });
        expect([201, 200, 409, 404, 502, 503]).toContain(status);
        if (status >= 500) {
          certain.set(token, undefined);
          // The store may still carry out what a dead container sent. Once that is over, the next answer is certain again.
          await new Promise<void>((done) => self.scheduler.after(5000, done));
        } else if (certain.has(token) && certain.get(token) !== undefined) {
          const expected = adds && before ? 409 : adds ? 201 : 200;
          expect([adds, before, body.code, status]).toEqual([adds, before, body.code, expected]);
          certain.set(token, adds);
        } else certain.set(token, adds);
      }
    };
    await self.complete(Promise.all(self.tokens.map(client)));
    await self.scheduler.runUntil(self.scheduler.now + 60_000);
    const { count, votes } = votesIn(self);
    expect(count).toBe(votes);
    const sure = [...certain.values()].filter((each) => each).length;
    const open = [...certain.values()].filter((each) => each === undefined).length;
    expect(count).toBeGreaterThanOrEqual(sure);
    expect(count).toBeLessThanOrEqual(sure + open);
    expect(self.fleet.started).toBeGreaterThan(self.fleet.size);
    expect(self.service.database.heldItems).toBe(0);
  });

  it("say nothing definite of a vote while a sending of it is still on its way", async () => {
    const self = await world(8, "TransactWriteItems: late 25%");
    const random = self.scheduler.random.fork("votes");
    const later = (): Promise<void> => new Promise((done) => self.scheduler.after(5000, done));
    let definite = 0;
    const client = async (token: string): Promise<void> => {
      let hasVoted: boolean | undefined;
      for (let round = 0; round < 20; round++) {
        const adds = random.chance(0.6);
        const name = adds ? "votes-add" : "votes-remove";
        const { status } = await self.call(name, { token, body: { postId: self.postId } });
        if (status >= 500) {
          // What became of it is not known, before all that is on its way has arrived.
          await later();
          hasVoted = undefined;
        } else {
          if (hasVoted !== undefined)
            expect([name, hasVoted, status]).toEqual([name, hasVoted, adds ? (hasVoted ? 409 : 201) : 200]);
          hasVoted = adds;
          definite++;
        }
      }
    };
    await self.complete(Promise.all(self.tokens.map(client)));
    expect(definite).toBeGreaterThan(100);
  });

  it("make one post under one key, however often they die between commit and answer, and answer with that post", async () => {
    const faults = "kill-after 20%, kill-before 5%, late 5%, reset-after 5%, lost-answer 3%, conflict 10%";
    const self = await world(9, `TransactWriteItems: ${faults}`);
    const answered: string[] = [];
    let sent = 0;
    const client = async (token: string, client: number): Promise<void> => {
      const request = {
        token,
        body: { title: `Post of ${client}`, boardId: self.boardId },
        headers: { "idempotency-key": `the-post-of-${client}` },
      };
      let reply: ClientReply;
      do {
        reply = await self.call("posts-create", request);
        sent++;
      } while (reply.status >= 500);
      expect(reply.status).toBe(201);
      answered.push((reply.body.post as { postId: string }).postId);
    };
    await self.complete(Promise.all(self.tokens.map(client)));
    await self.scheduler.runUntil(self.scheduler.now + 60_000);
    const table = self.service.database.table(TABLE);
    const stored: string[] = [];
    let key = table.nextInPartition("POSTS", undefined);
    for (; key; key = table.nextInPartition(key.partition, key.sort)) {
      const title = table.get(key)?.item.title;
      // The post of the world was made without a key, and perhaps twice.
      if (title && "S" in title && title.S.startsWith("Post ")) stored.push(key.sort);
    }
    expect(stored.sort()).toEqual(answered.sort());
    expect(answered).toHaveLength(8);
    // Some were killed, or got no answer.
    expect(sent).toBeGreaterThan(8 + 3);
  });

  it("sweep what a deleted post leaves behind, by way of the stream, through faults and deaths", async () => {
    const self = await world(3, "DeleteItem: kill-after 10%, 500-before 10%, reset-after 10%, throttle 10%");
    for (const token of self.tokens)
      await self.complete(self.untilDone("votes-add", { token, body: { postId: self.postId } }));
    const { status } = await self.complete(
      self.untilDone("posts-delete", { token: self.tokens[0], body: { id: self.postId } }),
    );
    // Not found, where an earlier attempt was carried out and its answer lost.
    expect([204, 404]).toContain(status);
    await self.scheduler.runUntil(self.scheduler.now + 3_600_000);
    const table = self.service.database.table(TABLE);
    expect(table.get({ partition: "POSTS", sort: self.postId })).toBeUndefined();
    for (const partition of ["DELETED", "OUTBOX", "DUE", `VOTES#${self.postId}`]) {
      expect([partition, table.nextInPartition(partition, undefined)]).toEqual([partition, undefined]);
    }
    expect(self.changes.some(({ key }) => key.partition === "DELETED")).toBe(true);
  });

  it("migrate an old table while people vote, in two containers that die, through faults", async () => {
    const self = await world(12, VOTE_FAULTS);
    const { scheduler, tokens, postId } = self;
    const table = self.service.database.table(TABLE);
    const { item: voters = {} } = table.get({ partition: "POSTS", sort: `${postId}#VOTERS` }) ?? {};
    // More than a page of the walk, most of them of posts that nobody looks at.
    const sorts = [postId, ...Array.from({ length: 30 }, (_, n) => `01990000-0000-7000-8000-0000000000${n + 10}`)].map(
      (id) => `${id}#VOTERS`,
    );
    for (const sort of sorts) {
      const old = { ...voters, sk: { S: sort }, cast: { N: "1" }, edge: { S: "an id" } };
      table.set({ partition: "POSTS", sort }, old);
    }
    const random = scheduler.random.fork("votes");
    let isOver = false;
    let calls = 0;
    const client = async (token: string): Promise<void> => {
      for (; !isOver; calls++) {
        await self.call(random.chance(0.6) ? "votes-add" : "votes-remove", { token, body: { postId } });
        await new Promise<void>((done) => scheduler.after(random.below(500), done));
      }
    };
    const runners = Promise.all([self.migrate(0), self.migrate(1)]).finally(() => {
      isOver = true;
    });
    await self.complete(Promise.all([runners, ...tokens.map(client)]));
    await scheduler.runUntil(scheduler.now + 60_000);
    for (const sort of sorts) {
      const names = Object.keys(table.get({ partition: "POSTS", sort })?.item ?? {}).sort();
      const others = names.filter((name) => !/^h\d+$/.test(name));
      expect(others).toEqual(["count", "first", "pk", "sk"]);
    }
    const { count, votes } = votesIn(self);
    expect(count).toBe(votes);
    expect(calls).toBeGreaterThan(50);
    expect(self.fleet.started).toBeGreaterThan(self.fleet.size);
    const versions = self.changes.flatMap(({ key, after }) =>
      key.partition === "MODEL" ? [JSON.stringify(after?.version)] : [],
    );
    expect(versions).toEqual([...versions].sort());
    expect(versions.at(-1)).toBe(`{"N":"${migrations.length}"}`);
  });

  it("leave the same trace for the same seed", async () => {
    const run = async (seed: number): Promise<string> => {
      const self = await world(seed, VOTE_FAULTS);
      await self.complete(
        Promise.all(self.tokens.map((token) => self.call("votes-add", { token, body: { postId: self.postId } }))),
      );
      return self.trace.digest();
    };
    const [one, same, other] = [await run(4), await run(4), await run(5)];
    expect(same).toBe(one);
    expect(other).not.toBe(one);
  });

  it("reach no global that could tell them the real time", async () => {
    const free = new Set<string>();
    const watched = new Proxy(
      {},
      {
        has: (_, name) => {
          if (typeof name === "string" && !(GLOBALS as readonly string[]).includes(name)) free.add(name);
          return false;
        },
      },
    );
    // In sloppy code around the strict program, every free name is looked up in `watched` first.
    const code = `with (watched) { (function () { ${program.code} })(); }`;
    Object.assign(globalThis, { watched });
    const self = await world(6, "", new Program(code));
    await self.complete(self.call("votes-add", { token: self.tokens[0], body: { postId: self.postId } }));
    Reflect.deleteProperty(globalThis, "watched");
    // What else they read has no time, no chance and no way out; look at a new one before it is added here.
    const harmless = new Set(
      `AbortController Array ArrayBuffer BigInt Blob Boolean Buffer Error Function Infinity Int32Array JSON Map Number Object
      Promise ReadableStream Reflect RegExp Set String Symbol TextDecoder TextEncoder URL Uint16Array Uint8Array WeakMap WeakSet
      atob btoa encodeURIComponent navigator parseInt structuredClone`.split(/\s+/),
    );
    expect([...free].filter((name) => !harmless.has(name))).toEqual([]);
  });
});
