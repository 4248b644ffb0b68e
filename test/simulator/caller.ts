import {
  BatchGetItemCommand,
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
} from "@aws-sdk/client-dynamodb";

// A program for a container of the tests: it sends requests with the real SDK, each once and within a time limit.

const commands = {
  BatchGetItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
};

const client = new DynamoDBClient({
  maxAttempts: 1,
  requestHandler: { connectionTimeout: 1000, requestTimeout: 2000, throwOnRequestTimeout: true },
});

/** What the SDK makes of a response: the answer, or the name of its error. */
export type Outcome = { answer: Record<string, unknown> } | { failed: string };

export async function send(name: string, input: object): Promise<Outcome> {
  const Command = commands[`${name}Command` as keyof typeof commands] as typeof GetItemCommand;
  const command = new Command(input as GetItemCommand["input"]);
  try {
    return { answer: { ...(await client.send(command, { abortSignal: AbortSignal.timeout(5000) })) } };
  } catch (error) {
    return { failed: (error as Error).name };
  }
}
