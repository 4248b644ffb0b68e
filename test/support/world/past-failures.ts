/** A seed from which generated tests of a file failed once, and what they found. */
export type PastFailure = { file: string; seed: number; found: string };

/** All generated tests of these files run from these seeds too. `npm run test:explore` prints the line to add. */
export const pastFailures: PastFailure[] = [
  { file: "test/security/inputs.test.ts", seed: 111987308, found: "the test threw on { toString: ... } in a query" },
  { file: "test/security/inputs.test.ts", seed: 1732524251, found: "the test threw on { toString: ... } in a path" },
];
