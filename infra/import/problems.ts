import { closeSync, existsSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { cellOf } from "../../lib/moving/cells.ts";
import type { Problem } from "./form.ts";

// Problems are printed as far as a screen has room for them, and written to a sheet for all.

const PRINTED = 20;

const HEADINGS = "file,row,field,problem\n";

export function textOf({ place: { file, row }, field, what }: Problem): string {
  const where = row === 0 ? file : `${file}, row ${row}`;
  return file === "" ? `${field} ${what}` : `${where}: ${field} ${what}`;
}

/** Collects problems in a file, which only its owner can read: it has addresses. */
export class Problems {
  readonly #file: string;
  #descriptor: number | undefined;
  #number = 0;
  readonly first: string[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  readonly report = (problem: Problem): void => {
    this.#number++;
    if (this.first.length < PRINTED) this.first.push(textOf(problem));
    this.#descriptor ??= this.#open();
    const { place, field, what } = problem;
    writeSync(this.#descriptor, `${[place.file, place.row, field, what].map(cellOf).join(",")}\n`);
  };

  #open(): number {
    const descriptor = openSync(this.#file, "w", 0o600);
    writeSync(descriptor, HEADINGS);
    return descriptor;
  }

  /** Removes the sheet of a run before, whose problems are solved; a file of another kind stays. */
  #removeFormer(): void {
    if (existsSync(this.#file) && readFileSync(this.#file, "utf8").startsWith(HEADINGS)) rmSync(this.#file);
  }

  /** Closes the file. Returns what to say about the problems, in lines. */
  close(): string[] {
    if (this.#descriptor === undefined) {
      this.#removeFormer();
      return ["No problems"];
    }
    closeSync(this.#descriptor);
    return [...this.first, `${this.#number} problems, all of them in ${this.#file}`];
  }
}
