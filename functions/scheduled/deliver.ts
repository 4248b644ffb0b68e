import * as deliver from "../../lib/deliveries/deliver.ts";
import type { TableAccess } from "../../lib/table/access.ts";
import type { DeliverEvent } from "../../lib/webhooks/call-deliver.ts";
import type { Answer } from "../../lib/webhooks/door.ts";

/** The rights of the only function that reaches foreign servers: none to accounts, credentials, notes and tokens. */
export const table: TableAccess = {
  WEBHOOKS: ["get", "query", "update", "updateAlone"],
  WEBHOOK_SECRETS: ["get"],
  DELIVERIES: ["query", "put", "delete"],
  EVENTS: ["get", "put"],
  NEWS: ["put"],
  POSTS: ["get"],
  ACTIVITY: ["query"],
  CATALOGUE: ["query"],
};

// How long a call begins attempts, in milliseconds: the last one ends before the function's time limit.
const TURN_MS = 40_000;

/**
 * Delivers what is due: each minute, and when an event is announced. Sends a ping if the event of the call asks for it.
 */
export async function handler({ ping }: DeliverEvent): Promise<Answer | undefined> {
  if (ping !== undefined) return deliver.ping(ping);
  const end = Date.now() + TURN_MS;
  await deliver.deliverAll(() => Date.now() > end);
  return undefined;
}
