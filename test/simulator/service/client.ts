import { forOperation, type Operation } from "../scheduler/operation.ts";
import type { Scheduler } from "../scheduler/scheduler.ts";
import type { Connection, Network, WireAnswer, WireRequest } from "../scheduler/wire.ts";

/** The store's response: an answer, a part of one, or a failure of the connection. */
export type Outcome = { status: number; body: Record<string, unknown>; at: number } | { failed: string; at: number };

/** Sends requests to a store without an SDK: no retries and no time limits. */
export function bareClient(scheduler: Scheduler, network: Network) {
  const send = (from: string, operation: Operation | undefined, name: string, input: object): Promise<Outcome> =>
    new Promise((resolve) => {
      const settle = (outcome: { status: number; body: Record<string, unknown> } | { failed: string }): void => {
        scheduler.disturb();
        resolve({ ...outcome, at: scheduler.now });
      };
      const read = ({ status, body }: WireAnswer): void => {
        try {
          settle({ status, body: JSON.parse(body) });
        } catch {
          settle({ failed: "not JSON" });
        }
      };
      const connection: Connection = {
        answer: read,
        cut: (_, bytes, then) => settle({ failed: `${then} after ${bytes} bytes` }),
        fail: (code) => settle({ failed: code }),
      };
      const request: WireRequest = {
        from,
        host: "dynamodb.eu-west-1.amazonaws.com",
        method: "POST",
        path: "/",
        headers: { "x-amz-target": `DynamoDB_20120810.${name}` },
        body: JSON.stringify(input),
        operation,
        ordinal: operation ? operation.requests++ : 0,
      };
      network.receive(request, connection);
    });

  return (id: string, name: string, input: object): Promise<Outcome> => {
    const operation: Operation = { id, random: scheduler.random.fork(id), requests: 0 };
    return forOperation(operation, () => send("bare", operation, name, input));
  };
}
