import { deliverAll } from "../../lib/deliveries/deliver.ts";
import type { TableAccess } from "../../lib/table/access.ts";
import type { PingEvent, Pinged } from "../../lib/webhooks/call-deliver.ts";
import { sendPing } from "../../lib/webhooks/ping.ts";

/** The rights of the only function that reaches foreign servers: none to accounts, credentials, notes and tokens. */
export const table: TableAccess = {
  WEBHOOKS: ["get", "query", "updateAlone"],
  WEBHOOK_SECRETS: ["get"],
  DELIVERIES: ["query", "updateAlone", "put", "delete"],
  POSTS: ["get"],
  ACTIVITY: ["query"],
  CATALOGUE: ["query"],
};

// How long a call begins attempts, in milliseconds: the last one ends before the function's time limit.
const TURN_MS = 40_000;

/** Delivers what is due: each minute, and when an event was announced. Or sends a ping for the endpoint that asks. */
export async function handler({ ping }: Partial<PingEvent>): Promise<Pinged | undefined> {
  if (ping !== undefined) return sendPing(ping);
  const end = Date.now() + TURN_MS;
  await deliverAll(() => Date.now() > end);
  return undefined;
}
