import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { command } from "./differential/commands.ts";
import { gist } from "./differential/compare.ts";
import { deviations } from "./differential/deviations.ts";
import { type Command, engineStore, modelStore, type Reply, type Store } from "./differential/engines.ts";
import { Database } from "./model/database.ts";
import { count, key, TableName } from "./requests.ts";

// The same commands to the model and to a real engine (the other one in the cross-check) get the same replies, except
// for the listed deviations. SEED=<number> RUNS=<number> explores further.

const engine = process.env.DB_ENGINE === "dynamodb-local" ? "dynamodb-local" : "dynoxide";
const SEED = Number(process.env.SEED ?? 1);
const RUNS = Number(process.env.RUNS ?? 100);

let batches = 0;

function afresh(commands: readonly Command[]): Command[] {
  const prefix = `${++batches} `;
  return JSON.parse(JSON.stringify(commands).replace(/("pk":\{"S":"|":p":\{"S":")/g, `$1${prefix}`));
}

describe(`the model and ${engine}`, () => {
  let real: Awaited<ReturnType<typeof engineStore>>;
  let model: Store;

  beforeAll(async () => {
    real = await engineStore(engine, process.env.DYNAMODB_ENDPOINT as string, TableName);
    model = modelStore(new Database());
  });

  afterAll(() => real?.stop());

  const listed = deviations.filter((deviation) => deviation.engine === engine);

  const both = (sent: Command): Promise<[Reply, Reply]> => Promise.all([model.send(sent), real.send(sent)]);

  /** Sends a command to both. Returns the model's reply; undefined if a listed deviation explains a difference. */
  const agree = async (sent: Command): Promise<Reply | undefined> => {
    const [modelled, answered] = await both(sent);
    const expected = gist(sent, modelled);
    const given = gist(sent, answered);
    if (isDeepStrictEqual(expected, given)) return modelled;
    if (listed.some(({ explains }) => explains(sent, modelled, answered))) return undefined;
    throw new Error(`they differ: ${JSON.stringify({ sent, expected, given }, null, 2)}`);
  };

  it("agree on commands of any kind", async () => {
    let agreed = 0;
    const compare = async (commands: Command[]): Promise<void> => {
      for (const sent of afresh(commands)) {
        if (await agree(sent)) agreed++;
        // From here on the two tables may differ.
        else if (sent.operation !== "Query") return;
      }
    };
    const commands = fc.array(command, { minLength: 1, maxLength: 40, size: "max" });
    await fc.assert(fc.asyncProperty(commands, compare), { seed: SEED, numRuns: RUNS });
    expect(agreed).toBeGreaterThan(5 * RUNS);
  });

  it("agree on sizes: items up to 400 KB, batches up to 16 MB, transactions up to 4 MB", async () => {
    const ofSize = (pk: string, sk: string, size: number) => ({
      TableName,
      Item: { ...key(sk, pk), a: { S: "x".repeat(size - pk.length - sk.length - 5) } },
    });
    const putting = (...of: Parameters<typeof ofSize>) => agree({ operation: "PutItem", input: ofSize(...of) });
    await putting("big", "fits", 409_600);
    await putting("big", "is too large", 409_601);
    for (let at = 0; at < 45; at++) await putting("many", String(at), 390_000);
    const Keys = Array.from({ length: 45 }, (_, at) => key(String(at), "many"));
    const replies = await both({ operation: "BatchGetItem", input: { RequestItems: { [TableName]: { Keys } } } });
    const left = replies.map(({ body }) => (body.UnprocessedKeys as { table: { Keys: unknown[] } }).table.Keys.length);
    expect(left).toEqual([2, 2]);
    for (const count of [10, 11]) {
      const TransactItems = Array.from({ length: count }, (_, at) => ({
        Put: ofSize("transaction", String(at), 400_000),
      }));
      await agree({ operation: "TransactWriteItems", input: { TransactItems } });
    }
  });

  it("agree on client request tokens", async () => {
    const transaction = (ClientRequestToken: string, sk: string, more: object = {}): Command => ({
      operation: "TransactWriteItems",
      input: { ClientRequestToken, TransactItems: [count(sk, more)] },
    });
    for (const sent of [
      transaction("one", "a"),
      transaction("one", "a"),
      transaction("one", "b"),
      transaction("two", "a", { ConditionExpression: "attribute_not_exists(pk)" }),
      transaction("two", "b"),
      transaction("two", "b"),
    ]) {
      expect(await agree(sent)).toBeDefined();
    }
    for (const sk of ["a", "b"]) {
      const found = await agree({ operation: "GetItem", input: { TableName, Key: key(sk) } });
      expect(found?.body.Item).toMatchObject({ n: { N: "1" } });
    }
  });
});
