import { relative } from "node:path";
import { expect, it } from "vitest";
import { pastFailures } from "./past-failures.ts";
import { type Random, random } from "./random.ts";

/** The seed of every generated test, so that two runs of unchanged code do the same. */
const SEED = 20_250_130;

/** What a generated test draws from: random numbers, or the seed itself for a library that makes its own. */
export type Dice = Random & { seed: number };

const fileOfTest = (): string => relative(process.cwd(), expect.getState().testPath ?? "");

/** SEED=<numbers> of the environment instead of the seeds in the code: to repeat a failure, or to explore. */
const seedsOf = (file: string): number[] => {
  if (process.env.SEED) return process.env.SEED.split(",").map(Number);
  return [SEED, ...pastFailures.filter((failure) => failure.file === file).map(({ seed }) => seed)];
};

/**
 * A test of what it draws at random. It runs once from the seed in the code and once from each seed that failed before
 * (past-failures.ts); `npm run test:explore` runs it from new ones.
 */
export const generated = (title: string, test: (dice: Dice) => Promise<void>): void => {
  const file = fileOfTest();
  for (const seed of seedsOf(file)) {
    it(`${title} (seed ${seed})`, { tags: ["generated"] }, () => test({ ...random(seed), seed }));
  }
};
