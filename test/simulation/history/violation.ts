/** An answer or an item contradicts earlier answers. */
export class Violation extends Error {
  override readonly name = "Violation";
}

export function expectThat(holds: boolean, what: string, details?: unknown): asserts holds {
  if (!holds) throw new Violation(details === undefined ? what : `${what}: ${JSON.stringify(details)}`);
}

export function isSorted(values: readonly string[]): boolean {
  return values.every((value, at) => at === 0 || (values[at - 1] as string) < value);
}
