import { createServer, type IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { DynamoDBClient, GetItemCommand, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SESv2Client, SendEmailCommand } from "@aws-sdk/client-sesv2";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { endpointOf, signerFor } from "../../../lib/runtime/aws.ts";
import { listen } from "../../support/http/listen.ts";
import { type Dice, generated } from "../../support/world/generated.ts";

type Received = { method: string; path: string; headers: IncomingHttpHeaders; body: Buffer };

/** A service that takes every request, and whose clock is `skew` milliseconds ahead. */
async function startService() {
  const received: Received[] = [];
  const service = { url: "", skew: 0, received };
  const server = createServer(async (request, response) => {
    const { method = "", url: path = "", headers } = request;
    received.push({ method, path, headers, body: await buffer(request) });
    response.setHeader("date", new Date(Date.now() + service.skew).toUTCString());
    response.end("{}");
  });
  service.url = `http://127.0.0.1:${await listen(server)}`;
  return service;
}

function textFrom({ below, oneOf }: Dice): string {
  const part = () => oneOf(["a", "Z", "9", " ", "  ", "\n", '"', "\\", "/", "%2F", "ü", "日", "😀", "\u2028"]);
  return Array.from({ length: 1 + below(below(2) ? 8 : 800) }, part).join("");
}

/** A client of each service with our options and the SDK's own, and a call that is drawn at random. */
const services = {
  dynamodb: {
    own: DynamoDBClient,
    call: (client: unknown, dice: Dice) => {
      const TableName = "table";
      const N = String(dice.below(1e9));
      const Key = { pk: { S: textFrom(dice) }, sk: { B: Buffer.from(textFrom(dice)) } };
      const get = new GetItemCommand({ TableName, Key });
      const values = { ":a": { N }, ":b": { S: textFrom(dice) } };
      const update = { TableName, Key, UpdateExpression: "SET a = :a, b = :b", ExpressionAttributeValues: values };
      return (client as DynamoDBClient).send(dice.below(2) ? get : new UpdateItemCommand(update));
    },
  },
  secretsmanager: {
    own: SecretsManagerClient,
    call: (client: unknown, dice: Dice) =>
      (client as SecretsManagerClient).send(new GetSecretValueCommand({ SecretId: textFrom(dice) })),
  },
  ses: {
    own: SESv2Client,
    call: (client: unknown, dice: Dice) => {
      const Subject = { Data: textFrom(dice) };
      const Text = { Data: textFrom(dice) };
      const Content = { Simple: { Subject, Body: { Text } } };
      return (client as SESv2Client).send(new SendEmailCommand({ Content }));
    },
  },
};

const SIGNED = /SignedHeaders=([^,]+)/;

// In Lambda the SDK adds a header to each request.
beforeAll(() => {
  vi.stubEnv("AWS_LAMBDA_FUNCTION_NAME", "a-function");
  vi.stubEnv("_X_AMZN_TRACE_ID", "Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=0");
});
afterAll(() => {
  vi.unstubAllEnvs();
});

describe.each(Object.entries(services))("A client of %s", (service, { own: Client, call }) => {
  generated("signs each request as the SDK does, at the time of the service", async (dice) => {
    for (let round = 0; round < dice.times(200); round++) {
      const aws = await startService();
      aws.skew = dice.oneOf([0, 1, -1]) * (3_600_000 + dice.below(7 * 86_400_000));
      const region = dice.oneOf(["us-east-1", "eu-central-1", "us-gov-west-1"]);
      const accessKeyId = `AKIA${dice.below(1e9)}`;
      const secretAccessKey = textFrom(dice);
      const token = dice.below(2) ? { sessionToken: Buffer.from(textFrom(dice)).toString("base64") } : {};
      const options = { region, endpoint: aws.url, credentials: { accessKeyId, secretAccessKey, ...token } };
      const ours: InstanceType<typeof Client> = new Client({
        ...options,
        signer: signerFor(service, region, () => ours.config.credentials()),
      });
      const theirs = new Client(options);
      for (let calls = 0; calls < 3; calls++) await call(ours, dice).catch(() => {});
      for (const [at, { headers, ...request }] of aws.received.entries()) {
        const { "x-amz-date": sentAt = "", authorization = "" } = headers as Record<string, string>;
        const signingDate = new Date(String(sentAt).replace(/(....)(..)(..T..)(..)(..)/, "$1-$2-$3:$4:$5"));
        // The clock of the service is known from its first answer.
        expect(Math.abs(Date.now() + (at > 0 ? aws.skew : 0) - signingDate.getTime())).toBeLessThan(60_000);
        const names = SIGNED.exec(authorization)?.[1]?.split(";") ?? [];
        const sent = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
        const signer = await theirs.config.signer({
          name: "sigv4",
          signingName: theirs.config.defaultSigningName,
          signingRegion: region,
          properties: {},
        });
        const { hostname, port, protocol } = new URL(aws.url);
        const unsigned = { ...request, hostname, port: Number(port), protocol, query: {}, headers: sent };
        const signed = await signer.sign(unsigned, { signingDate });
        expect({ ...sent, authorization }).toEqual(signed.headers);
      }
      expect(aws.received.length).toBeGreaterThanOrEqual(3);
    }
  });
});

describe("The endpoint of a service", () => {
  it.each(["us-east-1", "eu-central-1", "ap-southeast-4", "us-gov-west-1"])("equals the SDK's in %s", (region) => {
    for (const [service, Client] of [
      ["dynamodb", DynamoDBClient],
      ["secretsmanager", SecretsManagerClient],
    ] as const) {
      const { endpointProvider } = new Client({ region }).config;
      const theirs = endpointProvider({ Region: region, UseFIPS: false, UseDualStack: false });
      expect(endpointOf(service)({ Region: region }).url.href).toBe(theirs.url.href);
    }
  });
});
