// The whole service as one process has it, under `npm start`: what a container of a simulation runs. It loads each
// endpoint when it is first called: containers are many, and most of the work of a new one would be endpoints that
// nobody calls.

import { handler as deliver } from "../../functions/scheduled/deliver.ts";
import type { Endpoint } from "../../lib/endpoint.ts";
import { callHere } from "../../lib/webhooks/call-deliver.ts";

export { backgroundFunctions } from "../../functions/background/index.ts";
export { handler as rotateSecret } from "../../functions/scheduled/rotate-secret.ts";
export { deliver };

/** An endpoint by its name, `<folder>-<file>`. */
export async function endpointNamed(name: string): Promise<Endpoint> {
  const [folder, ...words] = name.split("-");
  return (await import(`../../functions/${folder}/${words.join("-")}.ts`)).handler;
}

callHere(async (event) => {
  const delivered = deliver(event);
  // Only a ping is waited for.
  return event.ping === undefined ? void delivered.catch(() => {}) : delivered;
});
