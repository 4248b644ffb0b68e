import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { command } from "./differential/commands.ts";
import { gist } from "./differential/compare.ts";
import { type Deviation, deviations } from "./differential/deviations.ts";
import { type Command, engineStore, modelStore, type Reply, type Store } from "./differential/engines.ts";
import { Database } from "./model/database.ts";
import { reservedWords } from "./model/expressions/reserved.ts";
import { Random } from "./scheduler/random.ts";

// The same commands to the model and to a real engine (the other one in the cross-check): the same replies, but for what is listed in
// deviations.ts. Explore with
// SEED=<number> RUNS=<number>.

const TABLE = "table";
const engine = process.env.DB_ENGINE === "dynamodb-local" ? "dynamodb-local" : "dynoxide";
const SEEDS = process.env.SEED ? [Number(process.env.SEED)] : engine === "dynoxide" ? [1, 2] : [1];
// Twenty times what a quiet machine needs.
const LONG_MS = 240_000;
const RUNS = Number(process.env.RUNS ?? 30);

let batches = 0;

/** Commands in partitions that nothing was done to before. */
function afresh(commands: Command[]): Command[] {
  const prefix = `${++batches} `;
  const json = JSON.stringify(commands);
  return JSON.parse(json.replace(/("pk":\{"S":"|":p":\{"S":")/g, `$1${prefix}`));
}

function key(pk: string, sk: string) {
  return { pk: { S: pk }, sk: { S: sk } };
}

describe(`the model and ${engine}`, () => {
  let real: Store;
  let model: Store;

  beforeAll(async () => {
    real = await engineStore(engine, process.env.DYNAMODB_ENDPOINT as string, TABLE);
    model = modelStore(new Database([TABLE]));
  }, 90_000);

  afterAll(() => real?.stop());

  const both = (each: Command): Promise<[Reply, Reply]> => Promise.all([model.send(each), real.send(each)]);

  const listed: Deviation[] = deviations.filter((each) => each.engine === engine);

  let agreed = 0;

  /** Sends commands to both until what they hold may differ; throws where nothing listed explains a difference. */
  const compare = async (commands: Command[]): Promise<void> => {
    for (const each of afresh(commands)) {
      const [said, answer] = await both(each);
      if (gist(each, said) === gist(each, answer)) {
        agreed++;
        continue;
      }
      if (listed.some(({ explains }) => explains(each, said, answer))) {
        if (each.operation === "Query") continue;
        return;
      }
      expect([each, gist(each, said)]).toEqual([each, gist(each, answer)]);
    }
  };

  it.each(SEEDS)(
    "agree on commands of any kind, seed %i",
    async (seed) => {
      const commands = fc.array(command, { minLength: 1, maxLength: 40, size: "max" });
      agreed = 0;
      await fc.assert(fc.asyncProperty(commands, compare), { seed, numRuns: RUNS });
      expect(agreed).toBeGreaterThan(5 * RUNS);
    },
    LONG_MS,
  );

  it.each(listed)("differ: $what", async ({ example, explains }) => {
    const commands = afresh(example);
    const last = commands.pop() as Command;
    for (const each of commands) await both(each);
    const [said, answer] = await both(last);
    expect(gist(last, said)).not.toBe(gist(last, answer));
    expect(explains(last, said, answer)).toBe(true);
  });

  it("agree on the order of keys and on every page between two of them", async () => {
    const random = new Random(7);
    const texts = ["", "a", "ab", "b", "ä", "z", "\u{1f600}", "\uff61", "\ud7ff", "~"];
    const sorts = Array.from({ length: 60 }, () => `${random.oneOf(texts)}${random.oneOf(texts)}${random.below(10)}`);
    for (const sort of sorts)
      await both({ operation: "PutItem", input: { TableName: TABLE, Item: key("pages", sort) } });
    for (let round = 0; round < 40; round++) {
      const [from, to] = [random.oneOf(sorts), random.oneOf(sorts)].sort((a, b) =>
        Buffer.compare(Buffer.from(a), Buffer.from(b)),
      );
      const input = {
        TableName: TABLE,
        KeyConditionExpression: "pk = :p AND sk BETWEEN :from AND :to",
        ExpressionAttributeValues: { ":p": { S: "pages" }, ":from": { S: from }, ":to": { S: to } },
        ScanIndexForward: round % 2 === 0,
        Limit: 1 + random.below(9),
      };
      let ExclusiveStartKey: unknown;
      do {
        const each = { operation: "Query", input: { ...input, ...(ExclusiveStartKey ? { ExclusiveStartKey } : {}) } };
        const [said, answer] = await both(each);
        if (listed.some(({ explains }) => explains(each, said, answer))) break;
        expect(gist(each, said)).toBe(gist(each, answer));
        ExclusiveStartKey = said.body.LastEvaluatedKey;
      } while (ExclusiveStartKey);
    }
  });

  it("agree on what a scan finds, page by page", async () => {
    const found = async (store: Store): Promise<string[]> => {
      const items: string[] = [];
      let ExclusiveStartKey: unknown;
      do {
        const input = { TableName: TABLE, Limit: 50, FilterExpression: "attribute_exists(scanned)" };
        const { body } = await store.send({
          operation: "Scan",
          input: { ...input, ...(ExclusiveStartKey ? { ExclusiveStartKey } : {}) },
        });
        items.push(...(body.Items as { sk: { S: string } }[]).map(({ sk }) => sk.S));
        ExclusiveStartKey = body.LastEvaluatedKey;
      } while (ExclusiveStartKey);
      return items.sort();
    };
    for (let at = 0; at < 120; at++) {
      await both({
        operation: "PutItem",
        input: { TableName: TABLE, Item: { ...key(`scan ${at % 11}`, `${at}`), scanned: { BOOL: true } } },
      });
    }
    expect(await found(model)).toEqual(await found(real));
    expect(await found(model)).toHaveLength(120);
  });

  it("agree on numbers", async () => {
    const numbers = [
      "1E2",
      "-0",
      "0.10",
      "1E50",
      "1E-50",
      "1.5E10",
      "+7",
      "007",
      ".5",
      "5.",
      "1e125",
      "1e126",
      "1e-130",
    ];
    const bad = [
      "1e-131",
      `${"9".repeat(38)}`,
      `${"9".repeat(39)}`,
      `${"9".repeat(38)}0`,
      "abc",
      "",
      " 1",
      "1E",
      "NaN",
      "0x1",
      "-",
      ".",
    ];
    for (const N of [...numbers, ...bad]) {
      const put = { operation: "PutItem", input: { TableName: TABLE, Item: { ...key("number", "n"), n: { N } } } };
      const get = { operation: "GetItem", input: { TableName: TABLE, Key: key("number", "n") } };
      for (const each of [put, get]) {
        const [said, answer] = await both(each);
        expect([N, gist(each, said)]).toEqual([N, gist(each, answer)]);
      }
    }
  });

  it("agree on sums", async () => {
    const random = new Random(3);
    const numbers = [
      "0",
      "1",
      "-1",
      "0.1",
      "-0.3",
      "1e20",
      "-1e20",
      "123456789",
      "1e-20",
      "99999999999999999999",
      "-7.25",
    ];
    for (let round = 0; round < 60; round++) {
      const [a, b] = [random.oneOf(numbers), random.oneOf(numbers)];
      await both({ operation: "PutItem", input: { TableName: TABLE, Item: { ...key("sum", "n"), n: { N: a } } } });
      const each = {
        operation: "UpdateItem",
        input: {
          TableName: TABLE,
          Key: key("sum", "n"),
          UpdateExpression: `SET m = n ${random.oneOf(["+", "-"])} :b ADD n :b`,
          ExpressionAttributeValues: { ":b": { N: b } },
          ReturnValues: "ALL_NEW",
        },
      };
      const [said, answer] = await both(each);
      if (listed.some(({ explains }) => explains(each, said, answer))) continue;
      expect([a, b, gist(each, said)]).toEqual([a, b, gist(each, answer)]);
    }
  });

  it(
    "agree on sizes: items up to 400 KB, batches up to 16 MB, transactions up to 4 MB",
    async () => {
      const ofSize = (pk: string, sk: string, size: number) => ({
        ...key(pk, sk),
        a: { S: "x".repeat(size - pk.length - sk.length - 5) },
      });
      const put = (item: object) => ({ operation: "PutItem", input: { TableName: TABLE, Item: item } });
      const agree = async (each: Command): Promise<void> => {
        const [said, answer] = await both(each);
        expect(gist(each, said)).toBe(gist(each, answer));
      };
      await agree(put(ofSize("big", "fits", 409_600)));
      await agree(put(ofSize("big", "does not", 409_601)));
      for (let at = 0; at < 45; at++) await agree(put(ofSize("many", String(at), 390_000)));
      const Keys = Array.from({ length: 45 }, (_, at) => key("many", String(at)));
      const batch = { operation: "BatchGetItem", input: { RequestItems: { [TABLE]: { Keys } } } };
      const [said, answer] = await both(batch);
      const left = ({ body }: Reply) => (body.UnprocessedKeys as { table: { Keys: unknown[] } }).table.Keys.length;
      expect([left(said), left(answer)]).toEqual([2, 2]);
      const parts = (count: number) => ({
        operation: "TransactWriteItems",
        input: {
          TransactItems: Array.from({ length: count }, (_, at) => ({
            Put: { TableName: TABLE, Item: ofSize("transaction", String(at), 400_000) },
          })),
        },
      });
      await agree(parts(10));
      await agree(parts(11));
    },
    LONG_MS,
  );

  it("agree on client request tokens", async () => {
    const transaction = (ClientRequestToken: string, sk: string, more: object = {}) => ({
      operation: "TransactWriteItems",
      input: {
        ClientRequestToken,
        TransactItems: [
          {
            Update: {
              TableName: TABLE,
              Key: key("token", sk),
              UpdateExpression: "ADD n :one",
              ExpressionAttributeValues: { ":one": { N: "1" } },
              ...more,
            },
          },
        ],
      },
    });
    const all = [
      transaction("one", "a"),
      transaction("one", "a"),
      transaction("one", "b"),
      transaction("two", "a", { ConditionExpression: "attribute_not_exists(pk)" }),
      transaction("two", "b"),
      transaction("two", "b"),
      transaction("x".repeat(37), "a"),
    ];
    for (const each of all) {
      const [said, answer] = await both(each);
      expect(gist(each, said)).toBe(gist(each, answer));
    }
    const query = {
      operation: "Query",
      input: {
        TableName: TABLE,
        KeyConditionExpression: "pk = :p",
        ExpressionAttributeValues: { ":p": { S: "token" } },
      },
    };
    const [said, answer] = await both(query);
    expect(gist(query, said)).toBe(gist(query, answer));
    expect((said.body.Items as { n: object }[]).map(({ n }) => n)).toEqual([{ N: "1" }, { N: "1" }]);
  });

  it("agree on reserved words", async () => {
    // Keywords of the grammar are refused too, as syntax errors; these two DynamoDB Local does not know.
    const unknown = engine === "dynamodb-local" ? ["CONVERT", "SIZE"] : [];
    const free = ["alpha", "postId", "closed", "edge", "cast", "boardId", "updatedAt"];
    const check = async (word: string): Promise<void> => {
      const input = { TableName: TABLE, Key: key("none", "none"), ProjectionExpression: word };
      const [said, answer] = await both({ operation: "GetItem", input });
      expect([word, said.status]).toEqual([word, answer.status]);
    };
    const words = [...reservedWords().filter((each) => !unknown.includes(each)), ...free];
    for (let at = 0; at < words.length; at += 50) await Promise.all(words.slice(at, at + 50).map(check));
  });
});
