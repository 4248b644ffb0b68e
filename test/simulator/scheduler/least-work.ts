import type { Argon2Parameters } from "node:crypto";

/** Parameters of argon2 for the least work that it can do. Hashes still differ by password, salt and cost. */
export function leastWork(parameters: Argon2Parameters): Argon2Parameters {
  const { memory, passes, parallelism } = parameters;
  const associatedData = Buffer.from(`${memory} ${passes} ${parallelism}`);
  return { ...parameters, memory: 8 * parallelism, passes: 1, associatedData };
}
