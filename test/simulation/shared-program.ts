import { Program } from "../simulator/scheduler/program.ts";
import { onceARun } from "../support/once.ts";
import { bundleService } from "./program.ts";

/** The whole service, bundled once for all test files of a run. */
export async function sharedService(): Promise<Program> {
  return new Program(await onceARun("service.cjs", async () => (await bundleService()).code));
}
