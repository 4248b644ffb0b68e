import { beforeAll, describe, expect, it } from "vitest";
import type { Endpoint } from "../../lib/endpoint.ts";
import { MAX_BODY_BYTES } from "../../lib/http/request-body.ts";
import { eventOf, invoke, lambdaContext } from "../support/http/invoke.ts";
import { aWorld, endpointsWithExample, type World } from "../support/world/examples.ts";

// The cost to refuse the largest bodies, in every shape that is expensive to read. A body of blanks takes a third of a
// millisecond; a refusal may take thirty times as much, 10 ms of a core. Without the bound on values, 128 KB of numbers
// took ten times that.
const MOST = 30;

function filled(open: string, unit: string, close: string, most = Number.POSITIVE_INFINITY): string {
  const room = MAX_BODY_BYTES - open.length - close.length;
  const count = Math.min(Math.floor(room / Buffer.byteLength(unit)), most);
  return `${open}${unit.repeat(count).replace(/,$/, "")}${close}`;
}

const FIELDS = ["boardId", "title", "email", "slug", "postId", "id", "name", "token", "password"];
function inEachField(value: (room: number) => string): string {
  const room = Math.floor(MAX_BODY_BYTES / FIELDS.length) - 30;
  return `{${FIELDS.map((field) => `"${field}":${value(room)}`).join(",")}}`;
}

const bodies: Record<string, string> = {
  "many numbers": filled('{"boardId":[', "1,", "]}"),
  "many objects": filled('{"a":[', "{},", "]}"),
  "many fields": filled("{", '"a":1,', "}"),
  "numbers, as many as may be": filled('{"boardId":[', "1,", "]}", 990),
  "texts, as many and as long as may be": filled('{"boardId":[', `"${"é".repeat(60)}",`, "]}", 990),
  "texts with control characters": filled('{"boardId":[', `"${"\\u0001".repeat(20)}",`, "]}", 990),
  "fields, as many as may be": `{${Array.from({ length: 990 }, (_, n) => `"${String(n).padStart(100, "a")}":1`).join(",")}}`,
  "nested as deep as may be": filled('{"a":[', `${"[".repeat(29)}${"]".repeat(29)},`, "]}", 30),
  "nested deeper": filled("", "[", ""),
  blanks: filled("", " ", ""),
  "a text that does not end": filled('{"title":"', "a", ""),
  "long texts": inEachField((room) => `"${"a".repeat(room)}"`),
  "long texts of escapes": inEachField((room) => `"${"\\u00e9".repeat(room / 6)}"`),
  "long texts of control characters": inEachField((room) => `"${"\\u0001".repeat(room / 6)}"`),
  "long texts of CJK": inEachField((room) => `"${"漢".repeat(room / 3)}"`),
  "long addresses": inEachField((room) => `"${"a.".repeat(room / 2 - 40)}a@${"b.".repeat(20)}example.com"`),
  "long numbers": inEachField((room) => "9".repeat(room)),
};

// Refused after the same reads of the table, which wait for another process: their time does not count.
const SHORT = JSON.stringify(Object.fromEntries(FIELDS.map((field) => [field, 1])));

/** The milliseconds that a refusal takes: in the shortest of some calls, or in the first that is short enough. */
async function timeOf(endpoint: Endpoint, body: string, calls: number, enough = 0) {
  let ms = Number.POSITIVE_INFINITY;
  let status = 400;
  for (let n = 0; n < calls && ms > enough && status >= 400; n++) {
    const event = eventOf(endpoint, { body, token: world.owner.token });
    const before = process.hrtime.bigint();
    status = (await endpoint(event, lambdaContext())).statusCode ?? 0;
    ms = Math.min(ms, Number(process.hrtime.bigint() - before) / 1e6);
  }
  return { ms, status };
}

const withBody = endpointsWithExample.filter(({ endpoint }) => endpoint.definition.request.shape.body);

let world: World;
beforeAll(async () => {
  world = await aWorld();
  // The first calls run code that is not compiled yet.
  const [first] = withBody;
  for (const body of Object.values(bodies)) if (first) await timeOf(first.endpoint, body, 20);
});

describe("a refused body", () => {
  it.each(withBody)("costs at most thirty times as much as a body of blanks: $name", async ({ endpoint }) => {
    const blanks = await timeOf(endpoint, bodies.blanks ?? "", 20);
    const short = await timeOf(endpoint, SHORT, 20);
    const reads = short.status >= 400 ? short.ms : 0;
    const rows: { body: string; status: number; ms: number; ratio: number }[] = [];
    for (const [body, text] of Object.entries(bodies)) {
      expect(Buffer.byteLength(text), body).toBeLessThanOrEqual(MAX_BODY_BYTES);
      const { ms, status } = await timeOf(endpoint, text, 100, reads + MOST * blanks.ms);
      if (status >= 400) rows.push({ body, status, ms, ratio: (ms - reads) / blanks.ms });
    }
    console.table(rows.toSorted((a, b) => b.ms - a.ms).slice(0, 3));
    expect(rows.filter(({ ratio }) => ratio > MOST)).toEqual([]);
  });

  it("holds more than 1,000 values at any depth, without the commas in texts", async () => {
    const { endpoint = undefined } = withBody.find(({ name }) => name === "posts-list") ?? {};
    const answered = async (body: string) => {
      const reply = await invoke(endpoint as Endpoint, { body });
      return (
        reply.body.errors?.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`) ?? reply.status
      );
    };
    const fields = (count: number) => `{${Array.from({ length: count }, (_, n) => `"f${n}":0`).join(",")}}`;
    // The object itself is a value too.
    expect(await answered(fields(999))).toBe(200);
    expect(await answered(fields(1000))).toEqual(["body too_many_values"]);
    expect(await answered(`{"a":[${"{},".repeat(999)}{}]}`)).toEqual(["body too_many_values"]);
    expect(await answered(`{"a":"${",[{".repeat(5000)}"}`)).toBe(200);
    expect(await answered(`{"a":"${'\\"],'.repeat(5000)}"}`)).toBe(200);
  });
});
