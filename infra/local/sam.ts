// npm run sam: what `sam local` needs on this machine: the synthesised stack, an engine that containers can reach, the
// variables of its functions.
import { spawnSync } from "node:child_process";
import { networkInterfaces } from "node:os";
import { readCommandLine } from "../usage.ts";
import { runUntilStopped } from "./run.ts";
import type { Reach } from "./sam-start.ts";

const TOOLS = [
  "npm run sam needs the SAM CLI, 1.147 or newer, and Docker with its daemon:",
  "  https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/install-sam-cli.html",
  "  https://docs.docker.com/engine/install/",
].join("\n");

/** Runs a command and returns what it prints. Throws an error that names the tools if it fails. */
function outputOf(command: string, ...words: string[]): string {
  const { error, status, stdout, stderr } = spawnSync(command, words, { encoding: "utf8" });
  if (status === 0) return stdout;
  throw new Error(`${TOOLS}\n${command} failed: ${(error?.message ?? stderr).trim().split("\n").at(-1)}`);
}

/**
 * Chooses where the engine listens. Containers reach the gateway of Docker's bridge: if it is an address of this
 * machine, that is the one. Otherwise Docker runs in a virtual machine (Docker Desktop) and forwards a name of its own
 * to the loopback.
 */
export function reachOf(gateways: string[], ownAddresses: string[]): Reach {
  const bridge = gateways.find((address) => ownAddresses.includes(address));
  return bridge ? { host: bridge, from: bridge } : { host: "127.0.0.1", from: "host.docker.internal" };
}

/** Asks Docker for its bridge. */
function findReach(): Reach {
  outputOf("sam", "--version");
  const gateways = outputOf(
    "docker",
    "network",
    "inspect",
    "bridge",
    "--format",
    "{{range .IPAM.Config}}{{.Gateway}} {{end}}",
  );
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses?.map(({ address }) => address) ?? []);
  return reachOf(gateways.trim().split(/\s+/), own);
}

const USAGE =
  "npm run sam [-- --bundle], which bundles the functions again (set ENGINE_PORT and DATA_DIR for another port and folder)";

if (import.meta.main) {
  const { flags } = readCommandLine(USAGE, { flags: ["--bundle"] });
  if (flags.has("--bundle")) await (await import("../bundle/bundle.ts")).bundleAll();
  else
    await runUntilStopped(async (shutdown) => {
      const reach = findReach();
      // Loading it takes a while: a missing tool is named before.
      const { startAll } = await import("./sam-start.ts");
      await startAll(reach, shutdown);
    });
}
