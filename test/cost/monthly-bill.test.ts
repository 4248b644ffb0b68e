import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { work as countWork } from "../../functions/background/count.ts";
import { work as derive } from "../../functions/background/derive.ts";
import { work as sendNotices } from "../../functions/background/send-notices.ts";
import * as counting from "../../lib/figures/counting.ts";
import { COLLECTING_MS } from "../../lib/notices/changes.ts";
import * as due from "../../lib/table/due.ts";
import { key } from "../../lib/table/keys.ts";
import { endpointNamed, handOver, invoke, type Request } from "../support/http/invoke.ts";
import { LOG_BYTES_A_CALL, PRICE, SECONDS_A_CALL, SECONDS_A_HASH } from "../support/prices.ts";
import { newContainer } from "../support/setup.ts";
import { type Cost, costOf, measured, recordCalls, type StoreCall } from "../support/store/calls.ts";
import { addPosts, addWords } from "../support/world/bulk.ts";
import * as world from "../support/world/fixtures.ts";
import { follow } from "./follow.ts";
import { sendMessages } from "./messages.ts";

// What a portal costs in a month with everything on: how often each thing happens is assumed, what it reads and writes
// is measured, with all that background work does because of it. docs/costs.md#a-month shows the same arithmetic.

/** What each request costs, and the background work that follows from it. */
const costs: Record<string, { own: Cost; behind: Cost }> = {};

// What the follow-ups read each hour, when they look at 200 posts for lost records.
let hourlyReadUnits = 0;
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

// Each of them gets a mail about a new status.
const VOTERS = 20;

let member: world.Person;

async function measure(name: string, endpoint: string, request: Request): Promise<void> {
  newContainer();
  const { status, calls } = await measured(() => invoke(endpoint, { token: member.token, ...request }));
  expect(status, name).toEqual(endpointNamed(endpoint).definition.success);
  const behind = await measured(() => follow(calls));
  // Readers are told a minute later.
  const later = name === "status" ? await measured(aMinuteLater) : [];
  costs[name] = { own: costOf(calls), behind: costOf([...behind, ...later]) };
}

async function aMinuteLater(): Promise<StoreCall[]> {
  vi.setSystemTime(Date.now() + COLLECTING_MS);
  const ids = await due.waitingIds("NOTICES");
  const jobs = ids.filter((id) => id.startsWith("!")).map(key.notice);
  return (await handOver(sendNotices, ...jobs)).calls;
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

  const look = async () => {
    await derive.followUp?.findBehind(new Date(0));
  };
  const { calls } = await measured(() => recordCalls(look));
  hourlyReadUnits = costOf(calls).readUnits;
  // The first count is of all months.
  await countFigures();
  vi.setSystemTime(Date.now() + 3_600_000);
  count = costOf(await measured(countFigures));
  message = (await sendMessages(member, [(await world.aPost(member, fields)).postId])).cost;
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
  return sumOf((name, times) => (["new post", "comment", "status", "signup"].includes(name) ? times : 0));
}

function bill(): Record<string, number> {
  const calls = sumOf((_, times) => times);
  const mailsOf: Record<string, number> = { signup: 1, status: VOTERS };
  // Each change calls a background function, unless several come together.
  const behind = sumOf((name, times) => ((costs[name]?.own.writeUnits ?? 0) > 0 ? times : 0));
  const seconds = sumOf((name, times) => times * (name === "signup" ? SECONDS_A_HASH * 1.73 : SECONDS_A_CALL));
  const unitsOf = (kind: "readUnits" | "writeUnits") =>
    sumOf((name, times) => times * ((costs[name]?.own[kind] ?? 0) + (costs[name]?.behind[kind] ?? 0)));
  return {
    "HTTP API": calls * PRICE.gatewayCalls,
    "Lambda, calls": (calls + behind) * PRICE.functionCalls,
    "Lambda, time": (seconds + behind * SECONDS_A_CALL * 0.5) * PRICE.gigabyteSeconds,
    Reads: (HOURS * (hourlyReadUnits + count.readUnits) + unitsOf("readUnits")) * PRICE.readUnits,
    Writes: (HOURS * (count.writeUnits + JOB_UNITS) + unitsOf("writeUnits")) * PRICE.writeUnits,
    Logs: calls * LOG_BYTES_A_CALL * PRICE.logBytes,
    Mails: sumOf((name, times) => times * (mailsOf[name] ?? 0)) * PRICE.mails,
    Webhooks:
      messages() *
      (message.readUnits * PRICE.readUnits +
        message.writeUnits * PRICE.writeUnits +
        PRICE.functionCalls +
        SECONDS_A_MESSAGE * 0.5 * PRICE.gigabyteSeconds),
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
    expect(section).toContain(`${HOURS} × ${hourlyReadUnits} R`);
    expect(section).toContain(`${HOURS} × ${count.readUnits} R`);
    expect(section).toContain(`${HOURS} × ${count.writeUnits + JOB_UNITS} W`);
    const inWords = `${messages().toLocaleString("en")} × (${message.readUnits} R, ${message.writeUnits} W`;
    expect(section).toContain(inWords);
    expect(shown.filter(([, dollars]) => dollars !== "0.00")).toEqual(rows);
    const [, total] = /^\| \| \| \*\*(\d+\.\d\d)\*\* \|$/m.exec(section) ?? [];
    expect(total).toBe(rows.reduce((sum, [, dollars]) => sum + Number(dollars), 0).toFixed(2));
  });
});
