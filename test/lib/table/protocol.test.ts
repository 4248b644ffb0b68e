import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { type AttributeValue, DynamoDBClient, PutItemCommand, QueryCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DirectJsonProtocol } from "../../../lib/table/protocol.ts";
import { listen } from "../../support/http/listen.ts";
import { type Dice, generated } from "../../support/world/generated.ts";

function aString({ oneOf, below }: Dice): string {
  const signs = ["B", '"B":"', "\\", '"', "ü", "日", "😀", "\u2028", "__proto__", " "];
  return Array.from({ length: below(6) }, () => oneOf(signs)).join("");
}

function aValue(dice: Dice, depth = 0): AttributeValue {
  const { below, oneOf } = dice;
  const bytes = () => Buffer.from(aString(dice));
  const simple: AttributeValue[] = [
    { S: aString(dice) },
    { N: String(below(1e9)) },
    { BOOL: below(2) === 1 },
    { NULL: true },
    { B: bytes() },
    { BS: [bytes(), bytes()] },
    { SS: [aString(dice)] },
  ];
  if (depth === 3 || below(3) > 0) return oneOf(simple);
  const [one, other] = [aValue(dice, depth + 1), aValue(dice, depth + 1)];
  return oneOf<AttributeValue>([{ L: [one, other] }, { M: { B: one, BS: other, "": { S: "" } } }]);
}

describe("The protocol", () => {
  let answer = { status: 200, body: "" };
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    received.push(await text(request));
    response.writeHead(answer.status, { "content-type": "application/x-amz-json-1.0" }).end(answer.body);
  });
  let clients: DynamoDBClient[] = [];
  beforeAll(async () => {
    const endpoint = `http://127.0.0.1:${await listen(server)}`;
    const credentials = { accessKeyId: "local", secretAccessKey: "local" };
    const options = { endpoint, credentials, region: "eu-west-1", maxAttempts: 1 };
    clients = [new DynamoDBClient(options), new DynamoDBClient({ ...options, protocol: DirectJsonProtocol })];
  });
  afterAll(() => {
    for (const client of clients) client.destroy();
    server.close();
  });

  /** What the SDK's client makes of a call, and what ours does. */
  async function both(call: (client: DynamoDBClient) => Promise<object>): Promise<unknown[]> {
    const results: unknown[] = [];
    for (const client of clients) {
      const answer = await call(client).catch((error) => ({ ...error, text: String(error) }));
      const { $metadata: _, $response: __, ...result } = answer as Record<string, unknown>;
      results.push(result);
    }
    return results;
  }

  generated("writes each request as the SDK does, and reads the same from each answer", async (dice) => {
    for (let round = 0; round < dice.times(40); round++) {
      const Item = { pk: { S: aString(dice) }, other: aValue(dice) };
      const ExpressionAttributeValues = { ":a": aValue(dice), ":b": aValue(dice) };
      answer = { status: 200, body: "{}" };
      await both((client) =>
        client.send(
          new PutItemCommand({ TableName: "table", Item, ConditionExpression: undefined, ExpressionAttributeValues }),
        ),
      );
      const [sdk = "", ours = ""] = received.splice(0);
      expect(JSON.parse(ours)).toEqual(JSON.parse(sdk));
      // The items as they are on the wire.
      const wire = JSON.parse(sdk).Item;
      answer.body = JSON.stringify({ Items: [wire, wire], Count: 2, LastEvaluatedKey: wire });
      const [expected, read] = await both((client) => client.send(new QueryCommand({ TableName: "table" })));
      expect(read).toEqual(expected);
      received.splice(0);
    }
  });

  it.each([
    ["a refusal with the item", 400, '{"__type":"x#ConditionalCheckFailedException","Item":{"a":{"B":"AAEC"}}}'],
    ["a failure without a body", 500, ""],
    ["a page instead of JSON", 503, "<html></html>"],
    ["an answer that was cut off", 200, '{"Items":[{"a":{"S":'],
  ])("reads the same from %s as the SDK", async (_, status, body) => {
    answer = { status, body };
    const [expected, read] = await both((client) => client.send(new QueryCommand({ TableName: "table" })));
    expect(read).toEqual(expected);
    expect(read).toHaveProperty("text");
  });
});
