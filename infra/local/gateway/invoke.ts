import { randomUUID } from "node:crypto";
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import type { Endpoint } from "../../../lib/endpoint.ts";
import { limitedTo } from "../../../lib/runtime/limited-to.ts";
import * as log from "../../../lib/runtime/log.ts";

export type Answer = APIGatewayProxyStructuredResultV2;

// The time limit of a function in the stack. An endpoint answers 503 by itself shortly before.
const FUNCTION_TIMEOUT_MS = 10_000;

export function message(statusCode: number, text: string): Answer {
  return { statusCode, headers: { "content-type": "application/json" }, body: JSON.stringify({ message: text }) };
}

/** Runs a handler with the time limits of Lambda and of the gateway. */
export async function invoke(endpoint: Endpoint, event: APIGatewayProxyEventV2, timeoutMs: number): Promise<Answer> {
  const { name } = endpoint.definition;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Answer>((resolve) => {
    timer = setTimeout(() => {
      isOver = true;
      log.error("a handler did not answer in time", { endpoint: name, status: 503 });
      resolve(message(503, "Service Unavailable"));
    }, timeoutMs);
  });
  // A call that was answered while it waited does not start. A call that never ends gives its place back.
  const answering = inTurn(() => (isOver ? timeout : Promise.race([runHandler(endpoint, event, timeoutMs), timeout])));
  try {
    return await Promise.race([answering, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

// In the cloud each call has a container of its own; here all share one process. A limit of parallel calls makes the
// time limits of a call (the function's and the store's) measure its own work.
const inTurn = limitedTo(16);

async function runHandler(endpoint: Endpoint, event: APIGatewayProxyEventV2, timeoutMs: number): Promise<Answer> {
  const { name } = endpoint.definition;
  const deadline = Date.now() + Math.min(timeoutMs, FUNCTION_TIMEOUT_MS);
  const context = {
    awsRequestId: randomUUID(),
    functionName: name,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  } as Context;
  try {
    return await endpoint(event, context);
  } catch (error) {
    log.error("a handler threw", { endpoint: name, status: 500, error });
    return message(500, "Internal Server Error");
  }
}
