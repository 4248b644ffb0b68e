import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { leastWork } from "../simulator/scheduler/least-work.ts";

// A password hash takes 30 ms of a processor, and the tests make more than a thousand of them. Here argon2 does the
// least work that it can do. Hashes still differ by password, salt and cost, so that all that is stored, verified and
// replaced is as in the cloud.

const global = globalThis as { argon2?: typeof crypto.argon2; hashesAreCheap?: boolean };
global.hashesAreCheap = true;

/** Hashes with the real cost for the rest of this test file: for tests of the hash itself. */
export function hashAtFullCost(): void {
  global.hashesAreCheap = false;
}

function costOf(parameters: crypto.Argon2Parameters): crypto.Argon2Parameters {
  return global.hashesAreCheap ? leastWork(parameters) : parameters;
}

// Once a process, which may run several files.
if (!global.argon2) {
  const { argon2, argon2Sync } = crypto;
  global.argon2 = argon2;
  crypto.argon2 = (algorithm, parameters, done) => argon2(algorithm, costOf(parameters), done);
  crypto.argon2Sync = (algorithm, parameters) => argon2Sync(algorithm, costOf(parameters));
  syncBuiltinESMExports();
}
