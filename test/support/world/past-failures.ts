type PastFailure = { file: string; test: string; seed: number; found: string };

function inputs(endpoint: string, seed: number, found: string): PastFailure {
  const test = `gets a code of the definition for any value in any field of ${endpoint}`;
  return { file: "test/security/inputs.test.ts", test, seed, found };
}

const NO_TEXT = "the test threw when it made a text of { toString: ... }";

/** These tests run from these seeds too. `npm test -- --explore` prints the entry to add. */
export const pastFailures: PastFailure[] = [
  inputs("roadmaps-search", 111_987_308, NO_TEXT),
  inputs("roadmaps-list", 1_732_524_251, NO_TEXT),
];
