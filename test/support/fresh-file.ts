import { vi } from "vitest";
import { forgetLastId } from "../../lib/values/ids.ts";

// Runs before everything else of a test file. Files that share a process share the product's modules, as the calls of a
// container do. What these keep belongs to an environment, and setup.ts gives each file one of its own. Everything else
// a file gets anew: the modules of tests and pages, the environment that the process started with, and the real clock.

const global = globalThis as { environmentAtStart?: NodeJS.ProcessEnv };
global.environmentAtStart ??= { ...process.env };
process.env = { ...global.environmentAtStart };

vi.useRealTimers();
vi.restoreAllMocks();
vi.resetModules();
forgetLastId();
