import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { openInput } from "../../../infra/import/formats/input.ts";
import { type Order, write } from "../../../infra/import/import.ts";
import { Problems } from "../../../infra/import/problems.ts";
import { sources } from "../../../infra/import/sources/index.ts";
import type { Item } from "../../../infra/operator/check-table/stored.ts";
import { workshop } from "../../../lib/moving/work.ts";
import { familyOf } from "../../../lib/table/families.ts";
import { type Portal, writeDump } from "./dumps.ts";

// Imports of made-up dumps, as the operator's command makes them.

/** A workshop that waits for nothing. */
export function unpaced() {
  return workshop(Number.POSITIVE_INFINITY);
}

/** A folder for dumps and for the list of problems, until the test file ends. */
export function aDumpFolder() {
  const folder = mkdtempSync(join(tmpdir(), "dumps-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "problems.csv");
  const problems = () => new Problems(file);

  /** The order to import a portal from a source. */
  async function orderOf(source: string, portal: Portal): Promise<Order> {
    const input = await openInput(writeDump(folder, source, portal), problems().report);
    const read = sources[source] as NonNullable<(typeof sources)[string]>;
    return { source, importId: source, read, input };
  }

  return {
    folder,
    problems,
    orderOf,
    /** The list of problems that the last run wrote. */
    reported: () => readFileSync(file, "utf8"),
    /** Imports a portal from a source. */
    bringIn: async (source: string, portal: Portal) => write(await orderOf(source, portal), problems(), unpaced()),
  };
}

/** A further run writes only its report, and the job that counts the figures anew. */
export function withoutReport(items: Item[]): Item[] {
  return items.filter(({ pk }) => familyOf(pk) !== "COUNTING").map(({ report, ...item }) => item);
}

/** What an undo leaves: counts of 0, marks of the sweep, versions of the catalogue, the job that counts the figures. */
const TRACES = new Set(["COUNTS", "USER_COUNT", "DELETED", "CATALOGUE", "COUNTING"]);

export function withoutTraces(items: Item[]): Item[] {
  return items.filter(({ pk }) => !TRACES.has(familyOf(pk)));
}
