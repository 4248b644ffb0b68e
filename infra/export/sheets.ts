import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { OwnRow } from "../../lib/moving/form.ts";
import { Sheets } from "../../lib/moving/sheets.ts";
import { Output } from "./output.ts";

/** A folder of sheets for people. */
export class Folder {
  readonly #sheets = new Sheets();
  readonly #outputs = new Map<string, Output>();

  constructor(path: string) {
    // What an export that was killed has left.
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path, { mode: 0o700 });
    for (const [file, heading] of this.#sheets.headings()) {
      const output = new Output(join(path, file));
      this.#outputs.set(file, output);
      output.write(heading);
    }
  }

  add(row: OwnRow): void {
    const found = this.#sheets.lineOf(row);
    if (found) this.#outputs.get(found.file)?.write(found.line);
  }

  close(): void {
    for (const output of this.#outputs.values()) output.close();
  }
}
