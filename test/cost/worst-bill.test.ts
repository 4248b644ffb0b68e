import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import openapi from "../../docs/openapi.json" with { type: "json" };
import { backgroundFunctions } from "../../functions/background/index.ts";
import { documentFunctions } from "../../functions/documents/index.ts";
import { endpoints, groups } from "../../functions/index.ts";
import { SLICE_MS } from "../../lib/background.ts";
import { MOST_PINNED } from "../../lib/catalogue/pins.ts";
import { derive } from "../../lib/cleanup/derived-rows.ts";
import { routeKeysOf } from "../../lib/http/routes.ts";
import { ALL_MAILS_AN_HOUR, NEWS_A_DAY, SIGN_IN_MAILS_AN_HOUR } from "../../lib/mail/bounds.ts";
import { UNITS_A_SECOND } from "../../lib/moving/export-job.ts";
import * as posts from "../../lib/posts/posts.ts";
import { GATHERING_MS } from "../../lib/webhooks/call-deliver.ts";
import { AT_ONCE } from "../../lib/webhooks/deliveries.ts";
import { MAX_WEBHOOKS } from "../../lib/webhooks/webhooks.ts";
import { invoke, type Request } from "../support/http/invoke.ts";
import { ACCESS_LOG_BYTES, LOG_BYTES_A_CALL, PRICE, SECONDS_A_CALL, SECONDS_A_HASH } from "../support/prices.ts";
import { functionsOf, propertiesOf, templateOf } from "../support/stack/stack.ts";
import { costOf, measured } from "../support/store/calls.ts";
import { castAll } from "../support/world/bulk.ts";
import * as world from "../support/world/fixtures.ts";
import { worstOf } from "../support/world/worst-calls.ts";
import { type Exported, exportSite } from "./exports.ts";
import { sendMessages } from "./messages.ts";

// What a day can cost at most, from the limits that the template itself sets: the throttle of each route, the table's
// maximum, the memory of each function. docs/costs.md#the-worst-day shows the same arithmetic, for more calls a second
// than the routes admit: so a new endpoint changes nothing there until that room is used up.

// The most that the page may promise, in USD.
const BOUND = 500;

const DAY = 86_400;

const SAMPLED = 0.05;
// Assumed: a page of the portal waits for some calls of the API, which count as such.
const SECONDS_A_PAGE = 0.1;
// Assumed: drawing a card takes a quarter of it on 0.6 of a core (docs/costs.md#feeds-sitemaps-and-cards).
const SECONDS_A_CARD = 0.25;
// Headers and a short body.
const BYTES_A_CALL = 700;
// API Gateway counts a call for each 512 KB of an answer.
const CALL_BYTES = 512 * 1024;

// A wake of the function `deliver` that finds nothing to do.
const SECONDS_A_WAKE = 0.1;
// A batch of the stream wakes it once (lib/webhooks/call-deliver.ts).
const WAKES_A_SECOND = 1000 / GATHERING_MS;

const template = templateOf();
const functions = functionsOf(template);

const { MaxReadRequestUnits, MaxWriteRequestUnits } = propertiesOf(template, "AWS::DynamoDB::Table").OnDemandThroughput;
const { RouteSettings, DefaultRouteSettings } = propertiesOf(template, "AWS::ApiGatewayV2::Stage");
// Preflights and unknown paths.
const otherCalls: number = DefaultRouteSettings.ThrottlingRateLimit;

// The table throttles everything: each call is answered with a 503, and logs a second line. A container sends one
// throttled call a second again (`mayRetryThrottled`), after 60 ms in the mean.
const ERROR_LOG_BYTES = 200;
const WAITING = 1 / (1 - 0.06);

/** What the functions of the portal cost in a day, in USD, if their routes admit all that they can. */
function portalBill(): number {
  const settings = propertiesOf(templateOf({ portal: "true" }), "AWS::ApiGatewayV2::Stage").RouteSettings;
  const seconds = { "/": SECONDS_A_PAGE, "/{proxy+}": SECONDS_A_PAGE, "/cards/{proxy+}": SECONDS_A_CARD };
  const bills = Object.entries(seconds).map(([path, secondsEach]) => {
    const rate = sum(["GET", "HEAD"].map((method) => settings[`${method} ${path}`].ThrottlingRateLimit));
    const each = PRICE.gatewayCalls + PRICE.functionCalls + LOG_BYTES_A_CALL * PRICE.logBytes + SAMPLED * PRICE.traces;
    return rate * DAY * (each + secondsEach * PRICE.gigabyteSeconds);
  });
  return sum(bills);
}

/** The calls a second that each endpoint admits, by its name. */
const rates = new Map<string, number>(
  endpoints.map(({ definition }) => [
    definition.name,
    sum(routeKeysOf(definition).map((routeKey) => RouteSettings[routeKey]?.ThrottlingRateLimit)),
  ]),
);

/** The calls a second that ask for documents alone, without their text: HEAD. */
const documentHeads = sum(
  Object.values(documentFunctions).map((path) => RouteSettings[`HEAD ${path}`].ThrottlingRateLimit),
);

/** The calls a second that each document admits, by its name. */
const documentRates = new Map<string, number>(
  Object.entries(documentFunctions).map(([name, path]) => [name, RouteSettings[`GET ${path}`].ThrottlingRateLimit]),
);

// Allowed for the OpenAPI document, not compressed, so that a new field does not change the bill.
const OPENAPI_BYTES = 475_000;

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((a, b) => a + b, 0);
}

const MESSAGES = "messages to webhooks";
// The four write units are of the transaction that notes an attempt.
const MESSAGES_A_SECOND = MaxWriteRequestUnits / 4;

const EXPORTS = "files of exports";
// A unit reads 4 KB, and a quote takes two bytes in the file.
const EXPORTED_BYTES_A_UNIT = 2 * 4096;
// Parts of files and sheets that were given up end by the rules of the bucket (infra/stack/exports.ts). Sheets are
// stored twice: in pieces, and packed.
const DAYS_IN_BUCKET = 2;
const TIMES_STORED = 2;

/** An export of all that the tests below have made, as sheets: each sheet is written and packed. */
let sheets: Exported;

/** An answer that is worth asking for: bytes sent, and the read units behind them. */
type Haul = { name: string; bytes: number; units: number };

const hauls: Haul[] = [];

async function ask(name: string, request: Request): Promise<void> {
  const endpoint = endpoints.find(({ definition }) => definition.name === name);
  if (!endpoint) throw new Error(name);
  const { status, headers, body, calls } = await measured(() => invoke(endpoint, request));
  expect(status, name).toEqual(endpoint.definition.success);
  const bytes = Buffer.byteLength(JSON.stringify(body)) + Buffer.byteLength(JSON.stringify(headers));
  const units = costOf(calls).readUnits;
  expect(units, name).toBeLessThanOrEqual(worstOf(name).reads);
  hauls.push({ name, bytes, units });
}

// The largest answer for the stored bytes: each quote and each line end takes two bytes in JSON.
function quotes(count: number) {
  return '"'.repeat(count);
}

beforeAll(async () => {
  const member = await world.aMember(quotes(60));
  const voters = await Promise.all(Array.from({ length: 6 }, () => world.aMember(quotes(60))));
  const votedPost = async (by: world.Person, fields: Parameters<typeof world.aPost>[1]) => {
    const post = await world.aPost(by, fields);
    for (const voter of voters) await world.aVote(post.postId, voter);
    return post;
  };
  // A site of many boards and roadmaps.
  for (let n = 0; n < 30; n++) await world.aBoard({ name: `Board ${n} of the great many of this site` });
  for (let n = 0; n < 20; n++) await world.aRoadmap({ name: `Roadmap ${n} of the many of this site` });
  await ask("boards-list", { token: member.token, query: { first: "100" } });
  await ask("boards-browse", { query: { limit: "100" } });
  await ask("roadmaps-browse", {});
  await ask("boards-search", { token: member.token, params: { name: "board" } });
  await ask("roadmaps-list", { token: member.token, query: { first: "100" } });
  await ask("roadmaps-search", { token: member.token, params: { name: "roadmap" } });
  const board = await world.aBoard();
  const { boardId } = board;
  for (let n = 0; n < 50; n++) await votedPost(member, { title: `Post ${n}`, boardId });
  const all = { first: 50, created: "asc" };
  await ask("posts-list", { body: all });
  await ask("posts-list", { body: { ...all, first: undefined, limit: 50 } });
  await ask("posts-list", { body: { ...all, boardId } });
  const { postId, slug } = await votedPost(member, { title: "Popular" });
  await castAll(
    postId,
    Array.from({ length: 94 }, () => ({ ...world.aStranger(), name: quotes(60) })),
  );
  await ask("posts-by-slug", { body: { slug } });
  await ask("posts-votes", { params: { postId }, query: { first: "100" } });
  await ask("votes-remove", { token: member.token, body: { postId } });
  await ask("settings-site", {});
  for (let n = 0; n < 50; n++) {
    const title = `Quotes ${quotes(240)}`;
    const isPinned = n < MOST_PINNED ? true : undefined;
    const post = await votedPost(member, { title, contentMarkdown: quotes(20_000), boardId, isPinned });
    await posts.setStatus(post, { letter: "a" });
    await derive(post.postId);
  }
  await ask("posts-status-changes", {});
  await ask("posts-similar", { body: { title: "Quotes" } });
  await ask("posts-search", { body: { query: "quotes", first: 50 } });
  const newest = { first: 50, created: "desc" };
  await ask("posts-list", { body: newest });
  await ask("posts-list", { body: { ...newest, first: undefined, limit: 50 } });
  await ask("posts-list", { body: { ...newest, boardId } });
  for (const first of [1, 50]) await ask("posts-list", { body: { ...newest, first, pinned: true } });
  await askForMessages(member);
  await exportAll();
});

/** The files of exports, as answers that people fetch once. */
async function exportAll(): Promise<void> {
  const lines = await exportSite();
  expect(lines.bytes / lines.cost.readUnits).toBeLessThanOrEqual(EXPORTED_BYTES_A_UNIT);
  hauls.push({ name: EXPORTS, bytes: EXPORTED_BYTES_A_UNIT, units: 1 });
  sheets = await exportSite({ format: "csv" });
}

/** The messages to a webhook, as answers that nobody asks for. */
async function askForMessages(author: world.Person): Promise<void> {
  const longest = { title: quotes(240), contentMarkdown: quotes(20_000) };
  const postIds: string[] = [];
  for (let n = 0; n < AT_ONCE; n++) postIds.push((await world.aPost(author, longest)).postId);
  const { messages, cost } = await sendMessages(author, postIds);
  const bytes = Buffer.byteLength(JSON.stringify(messages)) / AT_ONCE + BYTES_A_CALL;
  hauls.push({ name: MESSAGES, bytes, units: cost.readUnits / AT_ONCE });
}

/** How many of a haul there are in a second, at most. */
function rateOf(name: string): number {
  if (name === MESSAGES) return MESSAGES_A_SECOND;
  return name === EXPORTS ? UNITS_A_SECOND : (rates.get(name) ?? 0);
}

/** The most bytes a second that any mix of the hauls fetches: the dual of a linear program in the price of a unit. */
function bytesPerSecond(): number {
  const names = [...new Set(hauls.map(({ name }) => name))];
  const at = (price: number): number => {
    const gains = names.map((name) => {
      const best = Math.max(
        ...hauls.filter((haul) => haul.name === name).map(({ bytes, units }) => bytes - price * units),
      );
      return rateOf(name) * Math.max(0, best);
    });
    return price * MaxReadRequestUnits + sum(gains);
  };
  return Math.min(...Array.from({ length: 3000 }, (_, step) => at(step * 10)));
}

function gigabytesOf(name: string): number {
  return (functions[name]?.properties.MemorySize ?? 0) / 1024;
}

const admitted = sum(rates.values()) + sum(documentRates.values()) + documentHeads;

/**
 * What the bucket of exports costs in a day, in USD. One export runs at a time. A piece lasts as long as a slice of
 * background work, unless it ends its export, and asks S3 at most as often as a small site in all.
 */
function exportBill(): number {
  const pieces = (DAY * 1000) / SLICE_MS;
  const bytes = UNITS_A_SECOND * EXPORTED_BYTES_A_UNIT * DAY;
  return (
    pieces * (sheets.writes * PRICE.s3Writes + sheets.reads * PRICE.s3Reads) +
    bytes * TIMES_STORED * DAYS_IN_BUCKET * PRICE.s3Bytes
  );
}

/** Dollars a day, by the rows of the table in docs/costs.md, if the routes together admit these calls a second. */
function bill(calls: number): Record<string, number> {
  const openapiBytes = (documentRates.get("openapi") ?? 0) * OPENAPI_BYTES;
  const bytes = bytesPerSecond() + calls * BYTES_A_CALL + openapiBytes;
  const seconds = groups.flatMap((group) =>
    group.endpoints.map(
      ({ definition: { name, hashesPasswords } }) =>
        (rates.get(name) ?? 0) * (hashesPasswords ? SECONDS_A_HASH : SECONDS_A_CALL) * gigabytesOf(group.name),
    ),
  );
  // The room for further endpoints: ordinary calls in a function of 1 GB.
  const secondsOfRoom = (calls - admitted) * SECONDS_A_CALL;
  const inBackground = backgroundFunctions.map(({ definition }) => gigabytesOf(definition.name));
  return {
    Reads: MaxReadRequestUnits * DAY * PRICE.readUnits,
    Writes: MaxWriteRequestUnits * DAY * PRICE.writeUnits,
    "Traffic out": bytes * DAY * PRICE.bytesOut,
    "HTTP API": (calls + bytes / CALL_BYTES) * DAY * PRICE.gatewayCalls,
    "Preflights, unknown paths": otherCalls * DAY * (PRICE.gatewayCalls + ACCESS_LOG_BYTES * PRICE.logBytes),
    "Pages and cards of the portal": portalBill(),
    "Lambda, calls": calls * DAY * PRICE.functionCalls,
    "Lambda, time": ((sum(seconds) + secondsOfRoom) * WAITING + sum(inBackground)) * DAY * PRICE.gigabyteSeconds,
    Logs: calls * (LOG_BYTES_A_CALL + ERROR_LOG_BYTES) * DAY * PRICE.logBytes,
    Traces: calls * SAMPLED * DAY * PRICE.traces,
    Mails: ((ALL_MAILS_AN_HOUR + SIGN_IN_MAILS_AN_HOUR) * 24 + NEWS_A_DAY) * PRICE.mails,
    // Each webhook holds at most one call.
    Webhooks:
      DAY *
      (WAKES_A_SECOND * PRICE.functionCalls +
        (MAX_WEBHOOKS + WAKES_A_SECOND * SECONDS_A_WAKE) * gigabytesOf("deliver") * PRICE.gigabyteSeconds),
    "Exports of the owner": exportBill(),
  };
}

/** What lowers a row of the bill. */
const KNOBS: Record<string, string> = {
  Reads: "maxReadUnits in infra/stack/context.ts",
  Writes: "maxWriteUnits in infra/stack/context.ts",
  "Traffic out": "the throttles of the routes with the largest answers, perSecond() in infra/stack/api.ts",
  "Preflights, unknown paths": "OTHERS in infra/stack/api.ts",
  "Pages and cards of the portal": "the throttle of pages in infra/stack/api.ts",
  Mails: "lib/mail/bounds.ts",
  "Exports of the owner": "UNITS_A_SECOND in lib/moving/export-job.ts",
  Webhooks: "GATHERING_MS in lib/webhooks/call-deliver.ts, or MAX_WEBHOOKS in lib/webhooks/webhooks.ts",
};
const THROTTLES = "the throttles of routes, perSecond() in infra/stack/api.ts";

const [, section = ""] = /^## The worst day$([\s\S]*?)^#/m.exec(readFileSync("docs/costs.md", "utf8")) ?? [];
const allowed = Number(/([\d,]+) calls a second/.exec(section)?.[1]?.replace(",", ""));
const documented = new Map(
  [...section.matchAll(/^\| (\D[^|]*) \|[^|]*\|[^|]*\| (\d+) \|$/gm)].map(([, row = "", usd]) => [row, Number(usd)]),
);

describe("the worst daily bill", () => {
  it("allows for the calls that all routes admit together", () => {
    expect(
      admitted,
      `All routes together admit ${admitted} calls a second, docs/costs.md#the-worst-day allows ${allowed}.
Lower ${THROTTLES} (the team's routes admit least); or allow more calls on the page, each 0.19 USD a day.`,
    ).toBeLessThanOrEqual(allowed);
  });

  it(`stays at or below ${BOUND} USD, as docs/costs.md shows`, () => {
    const rows = bill(allowed);
    const free = BOUND - sum(Object.values(bill(admitted)));
    console.table(rows);
    console.log(`${admitted} of ${allowed} calls a second are in use, ${free.toFixed(2)} of ${BOUND} USD are free`);
    expect([...documented.keys()]).toEqual(Object.keys(rows));
    for (const [row, usd] of Object.entries(rows)) {
      expect(
        usd,
        `The row "${row}" of docs/costs.md#the-worst-day says less than this bill.
Lower ${KNOBS[row] ?? THROTTLES}; or raise the row, and the sum to at most ${BOUND} USD.`,
      ).toBeLessThanOrEqual(documented.get(row) ?? 0);
    }
    const [, total] = /^\| \| \| \| \*\*(\d+)\*\* \|$/m.exec(section) ?? [];
    expect(Number(total), "the sum of the rows in docs/costs.md#the-worst-day").toBe(sum(documented.values()));
    expect(
      Number(total),
      `The worst day costs more than ${BOUND} USD. Lower a row of docs/costs.md#the-worst-day and its knob:
${Object.keys(rows)
  .map((row) => `${row}: ${KNOBS[row] ?? THROTTLES}`)
  .join("\n")}`,
    ).toBeLessThanOrEqual(BOUND);
  });

  it("counts the OpenAPI document by a size that leaves room", () => {
    const message = "docs/openapi.json has outgrown its allowance: raise OPENAPI_BYTES, 100 KB cost 0.78 USD a day";
    expect(JSON.stringify(openapi).length, message).toBeLessThanOrEqual(OPENAPI_BYTES);
  });
});
