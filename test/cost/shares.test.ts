import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { endpoints } from "../../functions/index.ts";
import { derive } from "../../lib/cleanup/derived-rows.ts";
import {
  callLimitsOf,
  changesItems,
  countsForAccount,
  countsForNetwork,
  type Definition,
} from "../../lib/http/definition.ts";
import * as limits from "../../lib/http/rate-limits.ts";
import { routeKeyOf } from "../../lib/http/routes.ts";
import * as mails from "../../lib/mail/bounds.ts";
import { UNITS_A_SECOND } from "../../lib/moving/export-job.ts";
import { MOST_HELD } from "../../lib/posts/held.ts";
import { MAX_WEBHOOKS } from "../../lib/webhooks/webhooks.ts";
import { endpointNamed, invoke, type Request } from "../support/http/invoke.ts";
import { SECONDS_A_CALL, SECONDS_A_HASH } from "../support/prices.ts";
import { propertiesOf, templateOf } from "../support/stack/stack.ts";
import { costOf, measured } from "../support/store/calls.ts";
import { aBoard, aPost, aRoadmap, aUser } from "../support/world/fixtures.ts";
import { FULL_CATALOGUE, LONGEST_TEXT, worstOf } from "../support/world/worst-calls.ts";
import { follow } from "./follow.ts";
import { sendMessages } from "./messages.ts";

// Nobody takes more than a tenth of what all share: the table, the throttle of a route, the concurrency of the account.
// Exempt is the throttle of routes that only read: the gateway counts what it refuses, and cannot tell callers apart
// (docs/costs.md#the-worst-day).

const TENTH = 0.1;
const CONCURRENCY = 1000;

const template = templateOf();
const { MaxReadRequestUnits, MaxWriteRequestUnits } = propertiesOf(template, "AWS::DynamoDB::Table").OnDemandThroughput;
const { RouteSettings } = propertiesOf(template, "AWS::ApiGatewayV2::Stage");

/** The rate of the slowest window of a count, a second. */
function rateOf({ windows }: limits.RateLimit["counts"][number]): number {
  return Math.min(...windows.map(({ hits, seconds, by = 1 }) => hits / seconds / by));
}

/** The rate of the fastest of several windows, a second. */
function fastestOf(windows: readonly limits.RateLimit["counts"][number]["windows"][number][]): number {
  return Math.max(...windows.map(({ hits, seconds, by = 1 }) => hits / seconds / by));
}

/** The calls a second that one client is admitted to, for minutes; Infinity where calls are not counted. */
function admittedTo(definition: Definition): number {
  if (definition.limit) {
    const input = new Proxy({}, { get: () => ({ email: "a@example.com" }) }) as never;
    return Math.min(...definition.limit(input, { network: "n", account: "a" as never }).counts.map(rateOf));
  }
  if (!countsForAccount(definition)) return Number.POSITIVE_INFINITY;
  const [ofAccount] = limits.account("a", limits.SMALL_CALL).counts;
  return Math.min(
    ...[ofAccount?.windows ?? [], callLimitsOf(definition)].filter(({ length }) => length > 0).map(fastestOf),
  );
}

/** The most units that a call reads, with the largest catalogue. */
function readsOf({ name, table }: Definition): number {
  return worstOf(name).reads + (table.CATALOGUE?.includes("query") ? FULL_CATALOGUE : 0);
}

/** The most write units that a call takes, with the work behind it. */
function writesWithWorkOf(definition: Definition): number {
  const { writes } = worstOf(definition.name);
  // The end of a session, a key or a webhook leaves neither ranks nor words behind.
  return definition.endsAccess === true ? writes : limits.withBackground(writes);
}

/** What one network may take at most, of each shared thing: 1 is all of it. */
function sharesOf(definition: Definition) {
  const { hashesPasswords } = definition;
  const throttle: number = RouteSettings[routeKeyOf(definition)].ThrottlingRateLimit;
  const calls = Math.min(admittedTo(definition), throttle);
  const [{ windows: [minute] = [] } = {}] = limits.network("n", 1).counts;
  const units = countsForNetwork(definition) && minute ? minute.hits / minute.seconds : Number.POSITIVE_INFINITY;
  const writes = changesItems(definition) ? calls * writesWithWorkOf(definition) : 0;
  return {
    reads: Math.min(calls * readsOf(definition), units) / MaxReadRequestUnits,
    writes: Math.min(writes, units / limits.UNITS_A_WRITE) / MaxWriteRequestUnits,
    concurrency: (calls * (hashesPasswords ? SECONDS_A_HASH : SECONDS_A_CALL)) / CONCURRENCY,
    ...(Number.isFinite(admittedTo(definition)) && { throttle: admittedTo(definition) / throttle }),
  };
}

function sum(numbers: number[] = []): number {
  return numbers.reduce((a, b) => a + b, 0);
}

const definitions = endpoints.map(({ definition }) => definition);

describe("What one client may take", () => {
  it.each(definitions)("stays within a tenth of what all share: $name", (definition) => {
    const beyond = Object.entries(sharesOf(definition)).filter(([, share]) => share > TENTH + 1e-9);
    expect(beyond).toEqual([]);
  });

  it.each(definitions)("allows the worst single call: $name", (definition) => {
    const { writes } = worstOf(definition.name);
    const [[network], [account]] = [limits.network("n", 1e9).counts, limits.account("a", 1e9).counts];
    const units = readsOf(definition) + limits.UNITS_A_WRITE * limits.withBackground(writes);
    expect(units).toBeLessThanOrEqual(network?.windows[0]?.hits ?? 0);
    expect(limits.withBackground(writes)).toBeLessThanOrEqual(account?.windows[0]?.hits ?? 0);
  });
});

/** Something that many share: all of it, and what one network and one account can take, in the same unit. */
type Pool = {
  name: string;
  all: number;
  network?: number;
  account?: number;
  /** Why one client may take more than a tenth: a text of a document. */
  exception?: [document: string, text: string];
};

/** The most that a limit admits, in its last count. */
function mostOf({ counts }: limits.RateLimit): number {
  return counts.at(-1)?.windows.at(-1)?.hits ?? 0;
}

/** The write units a second that a window of a network or an account admits. */
function writesOfWindow(limit: limits.RateLimit, unitsAWrite: number): number {
  const [{ hits, seconds } = { hits: 0, seconds: 1 }] = limit.counts[0]?.windows ?? [];
  return hits / seconds / unitsAWrite;
}

type Windows = limits.RateLimit["counts"][number]["windows"];

function windowOf(windows: Windows, period: number): Windows[number] {
  return windows.find(({ seconds }) => seconds === period) as Windows[number];
}

const HOUR = 3600;
const DAY = 24 * HOUR;

const OF_NETWORK = limits.network("n", 1);
const OF_ACCOUNT = limits.account("a", 1);

/** The most posts and comments of the queue that a moderator can decide in an hour or a day, twenty at a time. */
function decisionsIn(period: number): number {
  const request = { body: { ids: Array.from({ length: 20 }, () => "") } } as never;
  const units = endpointNamed("moderation-decide").definition.expectedWrites?.(request) ?? 0;
  const [{ windows = [] } = {}] = limits.account("a", units).counts;
  const { hits, by = 1 } = windowOf(windows, period);
  return (20 * hits) / by;
}

const pools: Pool[] = [
  {
    name: "write units of requests and the background work behind them, a second",
    all: MaxWriteRequestUnits,
    network: writesOfWindow(OF_NETWORK, limits.UNITS_A_WRITE),
    account: writesOfWindow(OF_ACCOUNT, 1),
  },
  {
    name: "mails of an hour that sign in, or tell of it",
    all: mails.SIGN_IN_MAILS_AN_HOUR,
    // Each mail may be followed by another one, about a sign-in from elsewhere; and one tells of each link.
    network: 2 * limits.SIGN_IN_MAILS_OF_NETWORK + limits.LINKS_OF_NETWORK,
  },
  {
    name: "mails of an hour, but news and sign-ins: of signups, and of addresses and passwords",
    all: mails.ALL_MAILS_AN_HOUR,
    network: mostOf(limits.signUp("a@example.com", "n")) + mostOf(limits.mail("a@example.com", "n")),
    account: limits.NEW_KEYS[0]?.hits ?? 0,
  },
  {
    name: "mails with news of a day, for each account",
    all: mails.NEWS_A_DAY,
    account: Math.max(mails.NEWS_BY_MEMBER, mails.NEWS_TO_READER),
  },
  {
    name: "mails with news of a day, for a network that signs up with many accounts",
    all: mails.NEWS_A_DAY,
    network: Math.min(mails.NEWS_BY_MEMBERS, mails.NEWS_BY_MEMBER * mostOf(limits.signUp("a@example.com", "n"))),
    exception: ["docs/guarantees.md", "can cause all mails with news that members cause in a day"],
  },
  {
    name: "failed logins to an account, a day",
    all: mostOf(limits.logIn("a@example.com", "n")),
    network: limits.logIn("a@example.com", "n").counts[0]?.windows.at(-1)?.hits ?? 0,
    exception: ["docs/guarantees.md", "Strangers can use up an account's failed logins"],
  },
  {
    name: "mails with new passwords to a mailbox, a day",
    all: mails.MAILS_A_DAY,
    network: limits.mail("a@example.com", "n").counts[0]?.windows[0]?.hits ?? 0,
    exception: ["docs/guarantees.md", "password resets and mails that sign in (7 of each)"],
  },
  {
    name: "mails that sign in to a mailbox, a day",
    all: mails.MAILS_A_DAY,
    network: limits.signInMail("a@example.com", "n").counts[0]?.windows[0]?.hits ?? 0,
    exception: ["docs/guarantees.md", "password resets and mails that sign in (7 of each)"],
  },
  {
    name: "tries of a code that signs in",
    all: 5,
    network: limits.signInByMail("a@example.com", "n").counts[0]?.windows[0]?.hits ?? 0,
    exception: ["docs/guarantees.md", "the five tries of a code"],
  },
  {
    name: "places in the queue, of those that a moderator can decide in an hour, for each account",
    all: decisionsIn(HOUR),
    account: MOST_HELD,
  },
  {
    name: "places in the queue, for a network that signs up with many accounts in an hour",
    all: decisionsIn(HOUR),
    network: MOST_HELD * mostOf(limits.signUp("a@example.com", "n")),
    exception: ["docs/guarantees.md", "A moderator decides eight hundred in an hour"],
  },
  ...[HOUR, DAY].map((period) => ({
    name: `things that reports bring into the queue, of those that a moderator can decide in ${period} seconds`,
    all: decisionsIn(period),
    network: windowOf(limits.reportedThings("n").counts[0]?.windows ?? [], period).hits,
    account: windowOf(limits.NEW_REPORTS, period).hits,
  })),
  {
    name: "read units a second of the owner's export",
    all: MaxReadRequestUnits,
    account: UNITS_A_SECOND,
  },
  {
    name: "exports of the site, a day",
    all: limits.EXPORTS_A_DAY,
    account: mostOf(limits.exportOfSite()),
    exception: ["docs/moving.md", "Only the owner can ask for one"],
  },
  {
    name: "calls a second of a route that only reads, of a page or a document",
    all: 1,
    network: 1,
    exception: ["docs/costs.md", "A throttle cannot distinguish callers"],
  },
];

describe("A pool that many share", () => {
  it.each(pools)("has a share of a tenth for one client, or a reason: $name", ({ all, exception, ...share }) => {
    const most = Math.max(share.network ?? 0, share.account ?? 0);
    expect(most).toBeGreaterThan(0);
    if (!exception) return expect(most / all).toBeLessThanOrEqual(TENTH + 1e-9);
    expect(most / all).toBeGreaterThan(TENTH);
    const [document, text] = exception;
    expect(readFileSync(document, "utf8").replaceAll(/\s+/g, " ")).toContain(text);
  });

  it("leaves a fifth of the mails with news to the team, whatever members do", () => {
    expect(mails.NEWS_BY_MEMBERS / mails.NEWS_A_DAY).toBeLessThanOrEqual(0.8);
  });

  it("gives ten webhooks that get every event more than a tenth of the writes, as docs/guarantees.md says", async () => {
    const author = await aUser();
    const { postId } = await aPost(author);
    const { cost } = await sendMessages(author, [postId]);
    // One event a second, which an account at its limit causes, to each webhook.
    const writes = cost.writeUnits * MAX_WEBHOOKS;
    const [, documented] =
      /up to (\d+) W a second behind the changes/.exec(readFileSync("docs/guarantees.md", "utf8")) ?? [];
    expect(writes).toBeLessThanOrEqual(Number(documented));
    expect(cost.writeUnits + writesOfWindow(OF_ACCOUNT, 1)).toBeLessThanOrEqual(TENTH * MaxWriteRequestUnits);
  });
});

const JANUARY = Date.parse("2026-01-01");
const TITLE = "one two three four five six seven eight nine ten eleven twelve";

/** The write units of a call, and of the background work that follows. */
async function writesOf(name: string, request: Request): Promise<[own: number, behind: number]> {
  const { calls } = await measured(() => invoke(name, request));
  const behind = await measured(() => follow(calls));
  return [costOf(calls).writeUnits, costOf(behind).writeUnits];
}

describe("The worst call of an endpoint", () => {
  it("counts for its background work as well", async () => {
    const moderator = await aUser("moderator");
    const { token } = moderator;
    const { boardId } = await aBoard();
    const { roadmapId } = await aRoadmap();
    const post = async (fields = {}) => {
      // A vote of today moves an old post into another month of trending, which costs most.
      const { postId } = await aPost(moderator, { title: TITLE, boardId, roadmapId, at: JANUARY, ...fields });
      await derive(postId);
      return postId;
    };
    const small = await post();
    const large = await post({ contentMarkdown: LONGEST_TEXT });
    const id = large;
    const other = TITLE.replaceAll("e", "a");
    const rows: [name: string, request: Request][] = [
      ["posts-create", { body: { title: TITLE, contentMarkdown: LONGEST_TEXT, boardId } }],
      ["posts-create", { body: { title: TITLE, boardId } }],
      ["votes-add", { body: { postId: small } }],
      ["votes-remove", { body: { postId: small } }],
      ["posts-update", { body: { id, title: other } }],
      ["posts-update", { body: { id, title: TITLE } }],
      ["posts-update", { body: { id, contentMarkdown: LONGEST_TEXT.slice(1) } }],
      ["posts-set-status", { params: { postId: large }, body: { status: "planned" } }],
      ["comments-create", { params: { postId: large }, body: { body: "€".repeat(5000) } }],
      ["posts-delete", { body: { id } }],
    ];
    const measuredRows: [name: string, own: number, behind: number][] = [];
    for (const [name, request] of rows) {
      const [own, behind] = await writesOf(name, { ...request, token });
      expect(own, name).toBeLessThanOrEqual(worstOf(name).writes);
      measuredRows.push([name, own, behind]);
    }
    // The words of the title are written once a minute: after the first change of the title, and not after the second.
    for (const [name, rows] of Object.entries(Object.groupBy(measuredRows, ([name]) => name))) {
      const counted = sum(rows?.map(([, own]) => limits.withBackground(own)));
      expect(sum(rows?.map(([, own, behind]) => own + behind)), `${name}: ${rows}`).toBeLessThanOrEqual(counted);
    }
  });
});
