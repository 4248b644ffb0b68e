import { STATUS_CODES } from "node:http";
import { createRequire } from "node:module";
import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";
import { crc32 } from "node:zlib";
import { virtualChance } from "./chance.ts";
import { virtualAbortSignal, virtualDate, virtualPerformance } from "./clock.ts";
import type { Globals } from "./program.ts";
import type { Random } from "./random.ts";
import type { Scheduler } from "./scheduler.ts";
import type { Timers } from "./timers.ts";
import { type Network, virtualHttps } from "./wire.ts";

export type Surroundings = {
  name: string;
  scheduler: Scheduler;
  network: Network;
  environment: Record<string, string>;
  print?: (line: string) => void;
};

type Process = Surroundings & {
  timers: Timers;
  random: Random;
  /** Its wall clock, in milliseconds since 1970. */
  wallClock: () => number;
  isAlive: () => boolean;
};

/** Modules of Node without time, random numbers and network: all containers share the real ones. */
const SHARED = new Set([
  "node:async_hooks",
  "node:os",
  "node:path",
  "node:stream",
  "node:stream/web",
  "node:url",
  "node:util",
]);

/** Modules that libraries load at import and do not use here: every call in them throws. */
const UNUSED = new Set(["node:dns", "node:fs"]);

/** The file system of a function: the SDK looks for its configuration there and finds none. */
const noFiles = {
  readFile: (path: string): Promise<never> =>
    Promise.reject(Object.assign(new Error(`ENOENT: no such file, open '${path}'`), { code: "ENOENT" })),
};

const realRequire = createRequire(import.meta.url);

function unusable(module: string): unknown {
  return new Proxy(
    {},
    {
      get: (_, member) => {
        if (typeof member === "symbol" || member === "__esModule" || member === "then") return undefined;
        return () => {
          throw new Error(`${module} is not simulated, and its ${member} was called`);
        };
      },
    },
  );
}

function requireFrom(own: Record<string, unknown>) {
  return (given: string): unknown => {
    const name = given.startsWith("node:") ? given : `node:${given}`;
    if (name in own) return own[name];
    if (SHARED.has(name)) return realRequire(name);
    if (UNUSED.has(name)) return unusable(name);
    throw new Error(`${given} is not among the modules of a simulated process`);
  };
}

function consoleOf(print: (line: string) => void): Record<string, (...words: unknown[]) => void> {
  return Object.fromEntries(
    ["debug", "error", "info", "log", "warn"].map((level) => [level, (...words) => print(words.join(" "))]),
  );
}

function processOf({ environment, print = () => {} }: Process, require: (name: string) => unknown) {
  const write = (text: string): boolean => {
    print(text.trimEnd());
    return true;
  };
  return {
    env: { ...environment },
    versions: process.versions,
    stdout: { write },
    stderr: { write },
    nextTick: process.nextTick,
    getBuiltinModule: require,
  };
}

// No program of a simulation has needed these timers: they throw.
const NO_TIMERS = {
  setInterval: undefined,
  clearInterval: undefined,
  setImmediate: undefined,
  clearImmediate: undefined,
};

/**
 * Everything by which code can learn the time, draw random numbers or reach a network, made anew for each container.
 */
export function globalsOf(self: Process): Omit<Globals, "module" | "exports"> {
  const { scheduler, timers, isAlive, wallClock, print = () => {} } = self;
  const chance = virtualChance(self.random, (work) => scheduler.external(work, isAlive), timers.sleep);
  const https = { ...virtualHttps(self), STATUS_CODES };
  const performance = virtualPerformance(scheduler.now, () => scheduler.now);
  const modules: Record<string, unknown> = {
    "node:crypto": chance.crypto,
    "node:fs/promises": noFiles,
    "node:http": https,
    "node:https": https,
    // The part of the network module that only reads the text of an address.
    "node:net": { BlockList, isIP, isIPv4, isIPv6 },
    // The checksum of the compression module: no client of a simulation accepts compressed answers.
    "node:zlib": Object.assign(Object.create(unusable("node:zlib") as object), { crc32 }),
    "node:timers": timers.module,
    "node:timers/promises": { setTimeout: timers.sleep },
  };
  const require = requireFrom(modules);
  modules["node:process"] = processOf(self, require);
  const own = {
    ...NO_TIMERS,
    ...timers.module,
    process: modules["node:process"],
    Date: virtualDate(() => Math.floor(wallClock())),
    Math: chance.math,
    performance,
    crypto: chance.webcrypto,
    AbortSignal: virtualAbortSignal(timers.abortAfter),
    console: consoleOf(print),
    fetch: () => Promise.reject(new Error("fetch is not simulated")),
  };
  const whole = Object.create(globalThis, Object.getOwnPropertyDescriptors(own));
  return { ...own, require, globalThis: whole, global: whole };
}
