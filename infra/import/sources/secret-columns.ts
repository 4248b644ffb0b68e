import type { Place, Problem } from "../formats/form.ts";

/** Why columns do not come in, by their tables and names. */
export type SecretColumns = Record<string, Record<string, string>>;

/** Names columns with secrets of people, each once: who imports sees that they stay where they are. */
export class SecretsNamed {
  readonly #columns: SecretColumns;
  readonly #named = new Set<string>();

  constructor(columns: SecretColumns) {
    this.#columns = columns;
  }

  *in(place: Place, table: string, row: Record<string, unknown>): Generator<Problem> {
    for (const [column, why] of Object.entries(this.#columns[table] ?? {})) {
      if (!row[column] || this.#named.has(`${table} ${column}`)) continue;
      this.#named.add(`${table} ${column}`);
      yield { place, field: column, what: `is not read, here and in further rows: ${why}` };
    }
  }
}
