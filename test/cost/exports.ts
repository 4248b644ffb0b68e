import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, vi } from "vitest";
import * as exports from "../../lib/accounts/exports.ts";
import { carryOut } from "../../lib/moving/export-job.ts";
import { shelf } from "../../lib/moving/own-shelf.ts";
import { newContainer } from "../support/setup.ts";
import { type Cost, costOf, measured, recordCalls } from "../support/store/calls.ts";

/** What an export of all of the table took: of S3 too, to which each call of the shelf is a request. */
export type Exported = { cost: Cost; pieces: number; writes: number; reads: number; bytes: number };

const WRITES = ["put", "begin", "putPart", "complete"] as const;

type Wanted = { format?: exports.ExportFormat; inShortPieces?: boolean };

/** Exports all of the table for the owner, in one piece or in pieces as short as they can be. */
export async function exportSite({ format = "jsonl", inShortPieces = false }: Wanted = {}): Promise<Exported> {
  const folder = mkdtempSync(join(tmpdir(), "cost-exports-"));
  newContainer({ EXPORT_FOLDER: folder });
  const writes = WRITES.map((name) => vi.spyOn(shelf(), name));
  const reads = vi.spyOn(shelf(), "get");
  try {
    const begun = await exports.begin(await exports.find(), format);
    if (begun === "is running") throw new Error(begun);
    let pieces = 0;
    const write = async () => {
      do pieces++;
      while ((await carryOut(begun.exportId, () => inShortPieces)) === "more");
    };
    const { calls } = await measured(() => recordCalls(write));
    const last = await exports.find();
    expect(last && exports.stateOf(last)).toBe("ready");
    const written = writes.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    return { cost: costOf(calls), pieces, writes: written, reads: reads.mock.calls.length, bytes: last?.bytes ?? 0 };
  } finally {
    for (const spy of [...writes, reads]) spy.mockRestore();
    newContainer({ EXPORT_FOLDER: undefined });
    rmSync(folder, { recursive: true });
  }
}
