import { renameSync } from "node:fs";
import { readCounts, totalOf } from "../../lib/lists/days.ts";
import type { OwnKind } from "../../lib/moving/form.ts";
import { batchesOfSite } from "../../lib/moving/walk.ts";
import type { Workshop } from "../../lib/moving/work.ts";
import { allPosts } from "../../lib/table/post-lists.ts";
import { Progress } from "../import/progress.ts";
import { Lines } from "./jsonl.ts";
import { refuseExisting } from "./output.ts";
import { secretsOf } from "./secrets.ts";
import { Folder } from "./sheets.ts";

export type Format = "jsonl" | "csv";

/** What to write, and where to. */
export type Order = { format: Format; path: string; withCredentials: boolean };

/**
 * Writes all of a site into a file of lines or a folder of sheets. It gets its name when it is whole: what a run that
 * was killed has left ends in `.part`. Returns what was written, in lines.
 */
export async function exportSite(order: Order, { work, units }: Workshop): Promise<string[]> {
  const { format, path, withCredentials } = order;
  refuseExisting(path);
  const part = `${path}.part`;
  const output = format === "csv" ? new Folder(part) : new Lines(part, withCredentials);
  const startedAt = performance.now();
  const total = totalOf([allPosts], await work(() => readCounts([allPosts])));
  const progress = new Progress("Export", total, "posts");
  const counts: Partial<Record<OwnKind, number>> = {};
  const options = { work, ...(withCredentials && { secretsOf }) };
  for await (const { rows } of batchesOfSite(options)) {
    for (const row of rows) {
      output.add(row);
      counts[row.kind] = (counts[row.kind] ?? 0) + 1;
    }
    progress.add(rows.filter(({ kind }) => kind === "post").length);
  }
  progress.end();
  output.close();
  renameSync(part, path);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  return [
    `Wrote ${countsIn(counts)} to ${path}, in ${seconds} s, with ${Math.ceil(units())} read units`,
    ...(format === "jsonl" ? noteOf(withCredentials) : []),
  ];
}

const NAMES: [kind: OwnKind, name: string][] = [
  ["account", "accounts"],
  ["board", "boards"],
  ["roadmap", "roadmaps"],
  ["status", "statuses"],
  ["post", "posts"],
  ["merged", "merged posts"],
  ["vote", "votes"],
  ["comment", "comments and notes"],
];

function countsIn(counts: Partial<Record<OwnKind, number>>): string {
  return NAMES.map(([kind, name]) => `${counts[kind] ?? 0} ${name}`).join(", ");
}

function noteOf(withCredentials: boolean): string[] {
  return withCredentials
    ? [
        "It has the hashes of all passwords and the secrets of second factors: who gets it can become anybody here.",
        "Give it to nobody, and delete it once it is imported",
      ]
    : ["It has no passwords, second factors, roles or confirmations of addresses: --with-credentials adds them"];
}
