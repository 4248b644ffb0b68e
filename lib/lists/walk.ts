import { type Filter, matches } from "./filter.ts";
import type { Rows } from "./rows.ts";

/** A walk along rows, which looks at a bounded number of them and passes on those that a filter lets through. */
export class Walk {
  /** The rows that the filter lets through. */
  readonly found: Rows;
  /** How many of them have come so far. */
  count = 0;
  /** Whether there are further rows, at which the walk does not look. */
  isCut = false;
  /** The key of the last row that it looked at. */
  lookedTo: string | undefined;

  constructor(rows: Rows, filter: Filter<number>, most: number) {
    this.found = this.#walk(rows, filter, most);
  }

  async *#walk(rows: Rows, filter: Filter<number>, most: number): Rows {
    let looked = 0;
    for await (const row of rows) {
      if (looked === most) {
        this.isCut = true;
        return;
      }
      looked++;
      this.lookedTo = row.rowKey;
      if (!matches(row.facets, filter)) continue;
      this.count++;
      yield row;
    }
  }

  /** Looks at the rest of the rows. */
  async walkOn(): Promise<void> {
    for await (const _ of this.found);
  }
}
