// npm run sam: what `sam local` needs on this machine: the synthesised stack, an engine that containers can reach, the
// variables of its functions.
import { spawnSync } from "node:child_process";
import { networkInterfaces } from "node:os";
import { readCommandLine } from "../usage.ts";
import { runUntilStopped } from "./run.ts";
import type { Reach } from "./sam-start.ts";

const INSTALL_SAM = [
  "  https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/install-sam-cli.html",
  "  (or: pipx install aws-sam-cli)",
];

const NO_SAM = [
  "The SAM CLI is missing: `sam --version` does not run. Install it, then run this again:",
  ...INSTALL_SAM,
].join("\n");

// The first version that knows the runtime nodejs24.x.
const OLDEST_SAM = [1, 147];

/** Whether SAM's answer to --version names one that is too old. */
export function isTooOld(answer: string): boolean {
  const [, major, minor] = /(\d+)\.(\d+)\.\d+/.exec(answer) ?? [];
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_SAM;
  return Number(major) === oldestMajor ? Number(minor) < oldestMinor : Number(major) < oldestMajor;
}

const NO_DOCKER = [
  "Docker is missing: `docker` does not run. `sam local` runs the functions in containers. Install it, then run this again:",
  "  https://docs.docker.com/engine/install/",
].join("\n");

const NO_DAEMON = "Docker is installed, but its daemon does not answer. Start it, then run this again. It said:";

/** Runs a command. Returns its exit status and what it printed; undefined if the command is not installed. */
function outputOf(command: string, ...words: string[]): { status: number; text: string } | undefined {
  const { error, status, stdout, stderr } = spawnSync(command, words, { encoding: "utf8" });
  return error ? undefined : { status: status ?? 1, text: status === 0 ? stdout : stderr };
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

/** Asks Docker for its bridge. Throws an error that says what to install if SAM or Docker is missing. */
function findReach(): Reach {
  const sam = outputOf("sam", "--version");
  if (sam?.status !== 0) throw new Error(NO_SAM);
  if (isTooOld(sam.text)) {
    const problem = `The SAM CLI is too old: ${sam.text.trim().split(" ").at(-1)}. The functions run on nodejs24.x, which it knows from ${OLDEST_SAM.join(".")} on. Update it, then run this again:`;
    throw new Error([problem, ...INSTALL_SAM].join("\n"));
  }
  const inspected = outputOf(
    "docker",
    ...["network", "inspect", "bridge", "--format", "{{range .IPAM.Config}}{{.Gateway}} {{end}}"],
  );
  if (!inspected) throw new Error(NO_DOCKER);
  if (inspected.status !== 0) throw new Error(`${NO_DAEMON}\n  ${inspected.text.trim().split("\n").at(-1)}`);
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses?.map(({ address }) => address) ?? []);
  return reachOf(inspected.text.trim().split(/\s+/), own);
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
