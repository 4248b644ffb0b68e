import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { work as announce } from "../../functions/background/announce.ts";
import { work as countWork } from "../../functions/background/count.ts";
import { work as derive } from "../../functions/background/derive.ts";
import { work as sendNotices } from "../../functions/background/send-notices.ts";
import { SLICE_MS } from "../../lib/background.ts";
import { NEWS_MS } from "../../lib/events/events.ts";
import * as counting from "../../lib/figures/counting.ts";
import { UNITS_A_SECOND } from "../../lib/moving/export-job.ts";
import { COLLECTING_MS, isOfChanges } from "../../lib/notices/changes.ts";
import { HOUR_MS } from "../../lib/notices/digest.ts";
import { isOfMerge } from "../../lib/notices/merge-jobs.ts";
import * as due from "../../lib/table/due.ts";
import { key } from "../../lib/table/keys.ts";
import { SETTLE_MS } from "../../lib/table/settling.ts";
import { endpointNamed, handOver, invoke, type Request } from "../support/http/invoke.ts";
import * as portal from "../support/portal.ts";
import { LOG_BYTES_A_CALL, PRICE, SECONDS_A_CALL, SECONDS_A_HASH } from "../support/prices.ts";
import { freshTable, newContainer } from "../support/setup.ts";
import { type Cost, costOf, measured, recordCalls, type StoreCall } from "../support/store/calls.ts";
import { addPosts, addWords } from "../support/world/bulk.ts";
import * as world from "../support/world/fixtures.ts";
import { aHeldPost } from "../support/world/held.ts";
import { exportSite } from "./exports.ts";
import { follow } from "./follow.ts";
import { sendMessages } from "./messages.ts";

// What a portal costs in a month with everything on: how often each thing happens is assumed, what it reads and writes
// is measured, with all that background work does because of it. docs/costs.md#a-month shows the same arithmetic.

/** What each request costs, and the background work that follows from it; how many events it has for webhooks. */
const costs: Record<string, { own: Cost; behind: Cost; events: number }> = {};

// The hourly look for lost records: at 200 posts, and at the events since the last one.
let hourly: Cost;
// What the count of the figures takes each hour.
let count: Cost;
const HOURS = 730;
// The item of the job, written in a transaction.
const JOB_UNITS = 2;

/** What a message to a webhook costs, from its event on. */
let message: Cost;
// Assumed: the time that a call of `deliver` takes, most of which is the receiver's.
const SECONDS_A_MESSAGE = 0.2;

// A vote costs 4 W more if it moves its post to another day of trending time, which depends on the hour. At this one it
// does.
const NOW = Date.UTC(2026, 0, 15, 6);

// Each of them gets a mail about a new status, or about a merge.
const VOTERS = 20;

/** What a letter to each of the readers of the digest costs. */
let digest: Cost;
const DIGESTS = 100;
const DIGEST_READERS = 3;

// Exports of a site that has grown for a year as in this month: 24,000 posts, each with five votes, a comment and a
// quarter of an account. How many read units a post takes with these, and a piece of write units and requests to S3.
const EXPORTS = 4;
const EXPORTED_POSTS = 24_000;
let unitsOfPost = 0;
let unitsOfPiece = 0;
// A further piece is claimed and put off, each written alone.
const DUE_UNITS = 2;
let requestsOfPiece = 0;

let member: world.Person;

async function measure(name: string, endpoint: string, request: Request): Promise<void> {
  newContainer();
  const { status, calls } = await measured(() => invoke(endpoint, { token: member.token, ...request }));
  expect(status, name).toEqual(endpointNamed(endpoint).definition.success);
  const behind = await measured(() => follow(calls));
  // Readers are told a minute later.
  const later = ["status", "merge"].includes(name) ? await measured(aMinuteLater) : [];
  const touches = [...calls, ...behind].flatMap((call) => call.touches);
  const events = touches.filter(({ family, action }) => family === "EVENTS" && action === "PutItem").length;
  costs[name] = { own: costOf(calls), behind: costOf([...behind, ...later]), events };
}

async function aMinuteLater(): Promise<StoreCall[]> {
  vi.setSystemTime(Date.now() + COLLECTING_MS);
  const ids = await due.waitingIds("NOTICES");
  const jobs = ids.filter((id) => isOfChanges(id) || isOfMerge(id)).map(key.notice);
  return (await handOver(sendNotices, ...jobs)).calls;
}

/** What the team does with posts, and the digest of its queue. */
async function measureTeam(postId: string, { token }: world.Person, fields: { title: string }): Promise<void> {
  for (let n = 0; n < DIGEST_READERS; n++) await portal.chooseMails({ digest: true }, await world.aReader("moderator"));
  const reader = await world.aReader();
  const report = { token: reader.token, params: { postId }, body: { reason: "This is an advertisement." } };
  await measure("report", "posts-report", report);
  const held = await aHeldPost(reader, fields);
  await measure("queue", "moderation-list", { token });
  // As the team's pages count them: a page of open posts, of which most sites have no second one.
  await measure("waiting posts", "posts-list", { token, body: { first: 50, status: ["open"], sort: "newest" } });
  await measure("decision", "moderation-decide", { token, body: { decision: "approve", ids: [held.id] } });
  vi.setSystemTime(Date.now() + HOUR_MS);
  digest = costOf(await measured(async () => (await handOver(sendNotices, key.digest())).calls));
  const { tagId } = await world.aTag();
  await measure("tags", "posts-set-tags", { token, params: { postId }, body: { tags: [tagId] } });
  const duplicate = await world.aPost(member, fields);
  for (let n = 0; n < VOTERS; n++) await world.aVote(duplicate.postId, await world.aReader());
  const params = { postId: duplicate.postId };
  await measure("merge", "posts-merge", { token, params, body: { into: postId } });
  await measure("unmerge", "posts-unmerge", { token, params });
}

/** What an export takes of each post, and a piece of it. */
async function measureExport(): Promise<void> {
  await freshTable();
  const posts = 48;
  const people: world.Person[] = [];
  for (let n = 0; n < posts / 4; n++) people.push(await world.aMember());
  for (let n = 0; n < posts; n++) {
    const [author, ...others] = Array.from({ length: 6 }, (_, at) => people[(n + at) % people.length] as world.Person);
    const { postId } = await world.aPost(author as world.Person);
    for (const voter of others) await world.aVote(postId, voter);
    await world.aComment(postId, author as world.Person);
  }
  unitsOfPost = rounded((await exportSite()).cost.readUnits / posts);
  const { cost, pieces, writes, reads } = await exportSite({ inShortPieces: true });
  unitsOfPiece = rounded(cost.writeUnits / pieces) + DUE_UNITS;
  requestsOfPiece = rounded((writes + reads) / pieces);
}

function rounded(number: number): number {
  return Math.ceil(number * 10) / 10;
}

async function countFigures(): Promise<StoreCall[]> {
  await counting.begin();
  return (await handOver(countWork, key.counting())).calls;
}

// Every title has these words, so each of them has as many rows as a look-up reads.
const TITLE = "Export the board as a spreadsheet";

beforeAll(async () => {
  newContainer({ NOTICES_PER_SECOND: "1000000" });
  vi.setSystemTime(NOW);
  member = await world.aMember("Katherine Johnson");
  const moderator = await world.aUser("moderator");
  const { boardId } = await world.aBoard();
  const fields = { title: TITLE, boardId, contentMarkdown: "The numbers go into a report every month. ".repeat(8) };
  const older = Array.from({ length: 250 }, (_, n) =>
    world.postOf(member, { ...fields, at: Date.UTC(2025, 0, 1 + n) }),
  );
  await addPosts(older);
  await addWords(older);
  const { postId, slug } = await world.aPost(member, fields);
  for (let n = 0; n < VOTERS; n++) await world.aVote(postId, await world.aReader());
  await derive.carryOut(postId, () => false);

  await measure("list, page 1", "posts-list", {});
  await measure("post by its slug", "posts-by-slug", { body: { slug } });
  await measure("similar posts", "posts-similar", { body: { title: `Please ${TITLE}` } });
  await measure("search", "posts-search", { body: { query: "spreadsheet" } });
  await measure("vote", "votes-add", { body: { postId } });
  await measure("new post", "posts-create", { body: fields });
  await measure("comment", "comments-create", { params: { postId }, body: { body: "Me too." } });
  const status = { token: moderator.token, params: { postId }, body: { status: "planned", text: "Next month." } };
  await measure("status", "posts-set-status", status);
  const account = { email: "barbara@example.com", password: "a password of some length", name: "Barbara Liskov" };
  await measure("signup", "auth-sign-up", { body: account });

  // A later moment is kept only if an event has settled since.
  vi.setSystemTime(Date.now() + NEWS_MS + SETTLE_MS + 1);
  const look = async () => {
    await derive.followUp?.findStale(new Date(0));
    await (await announce.findMarked?.())?.keepPlace?.();
  };
  const { calls } = await measured(() => recordCalls(look));
  hourly = costOf(calls);
  // The first count is of all months.
  await countFigures();
  vi.setSystemTime(Date.now() + 3_600_000);
  count = costOf(await measured(countFigures));
  await measureTeam(postId, moderator, fields);
  message = (await sendMessages(member, [(await world.aPost(member, fields)).postId])).cost;
  await measureExport();
});

const text = readFileSync("docs/costs.md", "utf8");
const [, section = ""] = /^\*\*A month\*\*([\s\S]*?)^##/m.exec(text) ?? [];

function numberIn(cell: string): number {
  return Number(cell.replaceAll(",", "").trim());
}

/** How often each thing happens in the month, and its units, as the page says. */
const documented = new Map(
  [...section.matchAll(/^\| ([a-z][^|]*) \| ([\d,]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$/gm)].map(
    ([, name = "", times = "", ...cells]) => [name, { times: numberIn(times), cells: cells.map(numberIn) }],
  ),
);

function sumOf(part: (name: string, times: number) => number): number {
  return [...documented].reduce((sum, [name, { times }]) => sum + part(name, times), 0);
}

/** The events of the month, each of which one webhook gets. */
function messages(): number {
  return sumOf((name, times) => times * (costs[name]?.events ?? 0));
}

/** The read units of all exports of the month, and their pieces. */
function exported(): Record<"readUnits" | "pieces", number> {
  const readUnits = EXPORTS * EXPORTED_POSTS * unitsOfPost;
  return { readUnits, pieces: Math.ceil(((readUnits / UNITS_A_SECOND) * 1000) / SLICE_MS) };
}

function exportBill(): number {
  const { readUnits, pieces } = exported();
  return (
    readUnits * PRICE.readUnits +
    pieces * (unitsOfPiece * PRICE.writeUnits + requestsOfPiece * PRICE.s3Writes) +
    pieces * (SLICE_MS / 1000) * 0.5 * PRICE.gigabyteSeconds
  );
}

/** The units of all requests, with the work behind them. */
function unitsOf(kind: "readUnits" | "writeUnits"): number {
  return sumOf((name, times) => times * ((costs[name]?.own[kind] ?? 0) + (costs[name]?.behind[kind] ?? 0)));
}

/** The calls of background functions: one for each change, unless several come together. */
function callsBehind(): number {
  return sumOf((name, times) => ((costs[name]?.own.writeUnits ?? 0) > 0 ? times : 0));
}

function bill(): Record<string, number> {
  const calls = sumOf((_, times) => times);
  const mailsOf: Record<string, number> = { signup: 1, status: VOTERS, merge: VOTERS };
  const behind = callsBehind();
  const seconds = sumOf((name, times) => times * (name === "signup" ? SECONDS_A_HASH * 1.73 : SECONDS_A_CALL));
  return {
    "HTTP API": calls * PRICE.gatewayCalls,
    "Lambda, calls": (calls + behind) * PRICE.functionCalls,
    "Lambda, time": (seconds + behind * SECONDS_A_CALL * 0.5) * PRICE.gigabyteSeconds,
    Reads:
      (HOURS * (hourly.readUnits + count.readUnits) + DIGESTS * digest.readUnits + unitsOf("readUnits")) *
      PRICE.readUnits,
    Writes:
      (HOURS * (hourly.writeUnits + count.writeUnits + JOB_UNITS) +
        DIGESTS * digest.writeUnits +
        unitsOf("writeUnits")) *
      PRICE.writeUnits,
    Logs: calls * LOG_BYTES_A_CALL * PRICE.logBytes,
    Mails: (sumOf((name, times) => times * (mailsOf[name] ?? 0)) + DIGESTS * DIGEST_READERS) * PRICE.mails,
    Webhooks:
      messages() *
      (message.readUnits * PRICE.readUnits +
        message.writeUnits * PRICE.writeUnits +
        PRICE.functionCalls +
        SECONDS_A_MESSAGE * 0.5 * PRICE.gigabyteSeconds),
    Exports: exportBill(),
  };
}

describe("the bill of a month in docs/costs.md", () => {
  it("shows the measured units of each action", () => {
    const table = Object.fromEntries(
      Object.entries(costs).map(([name, { own, behind }]) => [
        name,
        [own.readUnits, own.writeUnits, behind.readUnits, behind.writeUnits],
      ]),
    );
    expect(Object.fromEntries([...documented].map(([name, { cells }]) => [name, cells]))).toEqual(table);
  });

  it("adds up", () => {
    const rows = Object.entries(bill()).map(([name, dollars]) => [name, dollars.toFixed(2)]);
    const shown = [...section.matchAll(/^\| (\D[^|]*) \|[^|\n]*\| (\d+\.\d\d) \|$/gm)].map(([, name, dollars]) => [
      name,
      dollars,
    ]);
    const inFull = (number: number) => number.toLocaleString("en");
    expect(section).toContain(`${inFull(sumOf((_, times) => times))}, and ${inFull(callsBehind())} of the background`);
    expect(section).toContain(`| ${inFull(unitsOf("readUnits"))} R, ${HOURS} × ${hourly.readUnits} R`);
    expect(section).toContain(`| ${inFull(unitsOf("writeUnits"))} W, ${HOURS} × ${hourly.writeUnits} W`);
    expect(section).toContain(`${HOURS} × ${count.readUnits} R`);
    expect(section).toContain(`${HOURS} × ${count.writeUnits + JOB_UNITS} W`);
    expect(section).toContain(`${DIGESTS} × ${digest.readUnits} R`);
    expect(section).toContain(`${DIGESTS} × ${digest.writeUnits} W`);
    const { pieces } = exported();
    expect(section).toContain(
      `${EXPORTS} of ${inFull(EXPORTED_POSTS)} posts each, × ${unitsOfPost} R; ${inFull(pieces)} pieces`,
    );
    expect(section).toContain(`(${unitsOfPiece} W, ${requestsOfPiece} requests to S3, ${SLICE_MS / 1000} s × 0.5 GB)`);
    const inWords = `${inFull(messages())} × (${message.readUnits} R, ${message.writeUnits} W`;
    expect(section).toContain(inWords);
    expect(shown.filter(([, dollars]) => dollars !== "0.00")).toEqual(rows);
    const [, total] = /^\| \| \| \*\*(\d+\.\d\d)\*\* \|$/m.exec(section) ?? [];
    expect(total).toBe(rows.reduce((sum, [, dollars]) => sum + Number(dollars), 0).toFixed(2));
  });
});
