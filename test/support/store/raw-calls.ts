import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";

// Calls of an engine without the SDK: a test writes what is sent.

/** Headers in the place of a signature: local engines look at their form at most. */
export const FIXED_SIGNATURE = {
  authorization:
    "AWS4-HMAC-SHA256 Credential=local/20260105/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00",
  "x-amz-date": "20260105T000000Z",
};

/** What came back: the status, and the body as it was sent. */
export type Reply = { status: number; body: Record<string, unknown> };

const agent = new Agent({ keepAlive: true });

export async function rawCall(endpoint: string, operation: string, input: object): Promise<Reply> {
  const headers = {
    "content-type": "application/x-amz-json-1.0",
    "x-amz-target": `DynamoDB_20120810.${operation}`,
    ...FIXED_SIGNATURE,
  };
  const call = request(endpoint, { agent, method: "POST", headers });
  call.end(JSON.stringify(input));
  const [response] = (await once(call, "response")) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: JSON.parse(await text(response)) };
}
