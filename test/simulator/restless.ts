import { randomBytes, randomInt, randomUUID, webcrypto } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";

// A program that asks for the time, random numbers and the store in every way that the functions do.

const client = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1000, requestTimeout: 2000, throwOnRequestTimeout: true },
  }),
);

async function signed(text: string): Promise<string> {
  const key = await crypto.subtle.importKey("raw", Buffer.from("key"), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  return Buffer.from(await webcrypto.subtle.sign("HMAC", key, Buffer.from(text)))
    .toString("hex")
    .slice(0, 8);
}

/** Reads an item within a time limit. Returns the result and the time that it took. */
export async function read(sk: string, milliseconds = 5000): Promise<string> {
  const started = performance.now();
  const command = new GetCommand({ TableName: "table", Key: { pk: "p", sk }, ConsistentRead: true });
  try {
    const { Item } = await client.send(command, { abortSignal: AbortSignal.timeout(milliseconds) });
    return `${Item?.name} after ${Math.round(performance.now() - started)} ms`;
  } catch (error) {
    return `${(error as Error).name} after ${Math.round(performance.now() - started)} ms`;
  }
}

export async function live(rounds: number, tell: (what: string) => void): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const word = `${randomUUID()} ${crypto.randomUUID()} ${randomInt(1000)} ${randomBytes(4).toString("hex")}`;
    tell(`${new Date().toISOString()} ${word} ${Math.random()}`);
    const pauses = [0, 1, 2].map(async (each) => {
      await sleep(Math.random() * 20);
      tell(`${each} slept, ${await signed(`${each}`)}`);
    });
    await Promise.all([...pauses, read(String(randomInt(5))).then(tell)]);
    tell(`${Math.round(performance.now())} ${Date.now()}`);
  }
}
