import { relative } from "node:path";
import { afterAll, expect, it } from "vitest";
import { pastFailures } from "./past-failures.ts";
import { type Random, random } from "./random.ts";

/** The seed of every generated test, so that two runs of unchanged code do the same. */
const SEED = 20_250_130;

/** The source of a generated test: random numbers, or the seed itself for a library with its own generator. */
export type Dice = Random & {
  seed: number;
  /** How often to repeat something: `most` times, an eighth of it from the seed in the code. */
  times: (most: number) => number;
};

function failuresOfFile(): typeof pastFailures {
  const file = relative(process.cwd(), expect.getState().testPath ?? "");
  return pastFailures.filter((failure) => failure.file === file);
}

const titles = new Set<string>();

/** SEED=<numbers> of the environment instead of the seeds in the code: to repeat a failure, or to explore. */
function seedsOf(title: string): number[] {
  if (process.env.SEED) return process.env.SEED.split(",").map(Number);
  const past = failuresOfFile().filter(({ test }) => test === title);
  return [...new Set([SEED, ...past.map(({ seed }) => seed)])];
}

/**
 * A test of what it draws at random. It runs once from the seed in the code and once from each seed from which it
 * failed before (past-failures.ts); `npm test -- --explore` runs it from new ones.
 */
export function generated(title: string, test: (dice: Dice) => Promise<void>): void {
  titles.add(title);
  for (const seed of seedsOf(title)) {
    const times = (most: number): number => (seed === SEED ? Math.ceil(most / 8) : most);
    it(`${title} (seed ${seed})`, { tags: ["generated"] }, () => test({ ...random(seed), seed, times }));
  }
}

afterAll(() => {
  const stale = failuresOfFile().filter(({ test }) => !titles.has(test));
  expect(stale, "no such test any more: correct test/support/world/past-failures.ts").toEqual([]);
});
