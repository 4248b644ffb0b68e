import { beforeAll, describe, expect, it } from "vitest";
import { GLOBALS, Program } from "../simulator/scheduler/program.ts";
import { bundleService, changingSource } from "./program.ts";
import { MAX_ATTEMPTS, TABLE, World } from "./world/world.ts";

// The functions in containers of a simulation, where clients.test.ts does not reach: migrations, the real time.

let program: Program;

beforeAll(async () => {
  program = await bundleService();
});

const PASSWORD = "correct horse battery staple";

async function world(seed: number, faults = "", run: Program = program) {
  const self = new World({ seed, faults, program: run });
  const { call, untilDone, complete } = self;
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
  return Object.assign(self, { tokens, postId: (created.body.post as { postId: string }).postId });
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
  it("migrate an old table while people vote, in two containers that die, through faults", async () => {
    const aMigration = changingSource({
      file: "lib/migrations/index.ts",
      find: "readonly Migration[] = [];",
      replace: `readonly Migration[] = [withoutOld];
        import { withoutOld } from "../../test/support/world/migration.ts";`,
    });
    const self = await world(12, VOTE_FAULTS, await bundleService([aMigration]));
    const { scheduler, tokens, postId } = self;
    const table = self.service.database.table(TABLE);
    const { item: voters = {} } = table.get({ partition: "POSTS", sort: `${postId}#VOTERS` }) ?? {};
    // More than a page of the walk, most of them of posts that nobody looks at.
    const sorts = [postId, ...Array.from({ length: 30 }, (_, n) => `01990000-0000-7000-8000-0000000000${n + 10}`)].map(
      (id) => `${id}#VOTERS`,
    );
    for (const sort of sorts) {
      table.set({ partition: "POSTS", sort }, { ...voters, sk: { S: sort }, old: { N: "1" } });
    }
    const random = scheduler.random.fork("votes");
    let isOver = false;
    let calls = 0;
    const client = async (token: string): Promise<void> => {
      for (; !isOver; calls++) {
        await self.call(random.chance(0.6) ? "votes-add" : "votes-remove", { token, body: { postId } });
        await new Promise<void>((done) => scheduler.after(random.below(80), done));
      }
    };
    const runners = Promise.all([self.migrate(0), self.migrate(1)]).finally(() => {
      isOver = true;
    });
    await self.complete(Promise.all([runners, ...tokens.map(client)]));
    await scheduler.runUntil(scheduler.now + 60_000);
    for (const sort of sorts) {
      const names = Object.keys(table.get({ partition: "POSTS", sort })?.item ?? {}).sort();
      const others = names.filter((name) => !/^w\d+$/.test(name));
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
    expect(versions.at(-1)).toBe('{"N":"5"}');
  });

  it("read no global that could tell them the real time", async () => {
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
    // These tell no time and no random numbers, and reach nobody. Look at a new one before you add it.
    const harmless = new Set(
      `AbortController Array ArrayBuffer BigInt Blob Boolean Buffer Error Function Infinity Int32Array JSON Map Number Object
      Promise ReadableStream Reflect RegExp Set String Symbol TextDecoder TextEncoder URL Uint16Array Uint8Array WeakMap WeakSet
      atob btoa encodeURIComponent navigator parseInt structuredClone`.split(/\s+/),
    );
    expect([...free].filter((name) => !harmless.has(name))).toEqual([]);
  });
});
