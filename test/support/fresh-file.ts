import { vi } from "vitest";

// Runs before everything else of a test file. Files that share a process share nothing of ours: each gets modules of
// its own, the environment that the process started with, and the real clock.

const global = globalThis as { environmentAtStart?: NodeJS.ProcessEnv };
global.environmentAtStart ??= { ...process.env };
process.env = { ...global.environmentAtStart };

vi.useRealTimers();
vi.restoreAllMocks();
vi.resetModules();
