import type { Place, Problem } from "../formats/form.ts";

/** Why columns do not come in, by their tables and names. */
export type SecretColumns = Record<string, Record<string, string>>;

/** Why tables do not come in, by their names. */
export type UnreadTables = Record<string, string>;

/**
 * Names tables that do not come in, and columns with secrets of people, each once: who imports sees that they stay
 * where they are.
 */
export class UnreadNamed {
  readonly #tables: UnreadTables;
  readonly #columns: SecretColumns;
  readonly #named = new Set<string>();

  constructor(tables: UnreadTables, columns: SecretColumns) {
    this.#tables = tables;
    this.#columns = columns;
  }

  *table(place: Place, table: string): Generator<Problem> {
    const why = this.#tables[table];
    if (why && this.#isFirst(table)) yield { place, field: table, what: `is not read: ${why}` };
  }

  *secretsIn(place: Place, table: string, row: Record<string, unknown>): Generator<Problem> {
    for (const [column, why] of Object.entries(this.#columns[table] ?? {})) {
      if (!row[column] || !this.#isFirst(`${table} ${column}`)) continue;
      yield { place, field: column, what: `is not read, here and in further rows: ${why}` };
    }
  }

  #isFirst(name: string): boolean {
    const isNew = !this.#named.has(name);
    this.#named.add(name);
    return isNew;
  }
}
