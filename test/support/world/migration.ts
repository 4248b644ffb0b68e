import { afterAll } from "vitest";
import { migrations } from "../../../lib/migrations/index.ts";
import type { Migration } from "../../../lib/migrations/migration.ts";
import { setFields, stillHas } from "../../../lib/table/changes.ts";
import { VOTERS_SUFFIX } from "../../../lib/table/keys.ts";
import { range } from "../../../lib/table/ranges.ts";
import { getRange } from "../../../lib/table/reads.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { anything } from "../store/items.ts";

/** A migration for the tests of the runner: voters items lose the attribute `old`. */
export const withoutOld: Migration = {
  title: "remove old from voters items",
  table: { POSTS: ["query", "update"] },
  walks: [
    {
      range: range.posts(),
      change: ({ pk, sk, old }) =>
        old === undefined ? [] : [{ voters: setFields({ pk, sk }, { old: undefined }, stillHas({ old })) }],
    },
  ],
};

export async function makeOld(): Promise<void> {
  for (const { pk, sk } of await getRange(range.posts(), anything)) {
    if (!String(sk).endsWith(VOTERS_SUFFIX)) continue;
    await transact({ voters: setFields({ pk: String(pk), sk: String(sk) }, { old: 1 }) });
  }
}

const own = [...migrations];

/** Replaces the product's migrations, until the test file ends. */
export function useMigrations(...list: Migration[]): void {
  (migrations as Migration[]).splice(0, migrations.length, ...list);
}

afterAll(() => useMigrations(...own));
