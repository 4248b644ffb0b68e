import { createHash } from "node:crypto";

/**
 * Refs for rows without an id, made of their cells: a row keeps its ref in a later export, where others stand before
 * it. Rows with the same cells are counted.
 */
export class MadeRefs {
  // By numbers instead of texts, because there may be a million.
  readonly #counts = new Map<number, number>();

  of(...parts: (string | boolean | undefined)[]): string {
    const hash = createHash("sha256").update(JSON.stringify(parts)).digest();
    const number = hash.readUIntBE(0, 6);
    const count = (this.#counts.get(number) ?? 0) + 1;
    this.#counts.set(number, count);
    const ref = hash.toString("hex", 0, 16);
    return count === 1 ? ref : `${ref} (${count})`;
  }
}
