// The whole service as one process has it, under `npm start`: what a container of a simulation runs.

import { handler as deliver } from "../../functions/scheduled/deliver.ts";
import { callHere } from "../../lib/webhooks/call-deliver.ts";

export { backgroundFunctions } from "../../functions/background/index.ts";
export { endpoints } from "../../functions/index.ts";
export { handler as rotateSecret } from "../../functions/scheduled/rotate-secret.ts";
export { deliver };

callHere(async (event) => {
  const delivered = deliver(event);
  // Only a ping is waited for.
  return event.ping === undefined ? void delivered.catch(() => {}) : delivered;
});
