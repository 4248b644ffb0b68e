// A process of npm run bench: loads bundles, calls their handlers with the given events in turn, and tells what that
// took.
import { pathToFileURL } from "node:url";
import type { Ask } from "./bench.ts";

/** Processor time of this process since `start`, in milliseconds. */
function processorSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const before = process.cpuUsage();
const bundles = await Promise.all(process.argv.slice(2).map((file) => import(pathToFileURL(file).href)));
process.send?.(processorSince(before));

/** Calls a handler as Lambda does. An answer that is an error ends the process. */
async function call({ bundle, event }: Ask["requests"][number]): Promise<void> {
  const end = Date.now() + 10_000;
  const context = { awsRequestId: "request", getRemainingTimeInMillis: () => end - Date.now() };
  const { statusCode, body } = await bundles[bundle].handler(structuredClone(event), context);
  if (statusCode >= 400) throw new Error(`${statusCode} ${body}`);
}

process.on("message", async ({ requests, calls }: Ask) => {
  const start = process.cpuUsage();
  for (let index = 0; index < calls; index++) await call(requests[index % requests.length] as Ask["requests"][number]);
  process.send?.(processorSince(start) / calls);
});
