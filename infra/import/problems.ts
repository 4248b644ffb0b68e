import { closeSync, existsSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import type { ImportReport } from "../../lib/accounts/imports.ts";
import { cellOf } from "../../lib/moving/cells.ts";
import { searchedWords, shortened } from "../../lib/values/characters.ts";
import type { Problem } from "./formats/form.ts";

// Problems are printed as far as a screen has room for them, some of each kind, and written to a sheet for all.

const PRINTED = 20;
const PRINTED_OF_A_KIND = 3;

const HEADINGS = "file,row,field,problem\n";

// The longest value that is printed, in UTF-16 code units.
const PRINTED_VALUE = 100;

/** A problem with the value that it is about. */
export function withValue({ value, what }: Problem, longest = value?.length ?? 0): string {
  return value === undefined ? what : `“${searchedWords(value, longest)}” ${what}`;
}

export function textOf(problem: Problem): string {
  const { file, row } = problem.place;
  const where = row === 0 ? file : `${file}, row ${row}`;
  const words = `${problem.field} ${withValue(problem, PRINTED_VALUE)}`;
  return file === "" ? words : `${where}: ${words}`;
}

const LONGEST_KIND = 200;
const MOST_COUNTED = 1000;
const MOST_LISTED = 20;

/** A problem without what its row holds: it stays in the table, also after the person in the row is deleted. */
function kindOf({ place: { file }, field, value, what }: Problem): string {
  const words = `${field} ${value === undefined ? "" : "… "}${what}`.replace(/\d+/g, "…");
  return shortened(file === "" ? words : `${file}: ${words}`, LONGEST_KIND);
}

/** Collects problems in a file, which only its owner can read: it has addresses. */
export class Problems {
  readonly #file: string;
  #descriptor: number | undefined;
  #number = 0;
  readonly first: string[] = [];

  readonly #kinds = new Map<string, number>();

  /** How many problems there are, and their commonest kinds: what the owner reads in the portal. */
  get summary(): Pick<ImportReport, "problems" | "kinds"> {
    const commonest = [...this.#kinds].sort(([, a], [, b]) => b - a).slice(0, MOST_LISTED);
    return { problems: this.#number, kinds: commonest.map(([problem, count]) => ({ problem, count })) };
  }

  constructor(file: string) {
    this.#file = file;
  }

  readonly report = (problem: Problem): void => {
    this.#number++;
    const count = this.#countKind(kindOf(problem));
    if (count <= PRINTED_OF_A_KIND && this.first.length < PRINTED) this.first.push(textOf(problem));
    this.#descriptor ??= this.#open();
    const { place, field } = problem;
    writeSync(this.#descriptor, `${[place.file, place.row, field, withValue(problem)].map(cellOf).join(",")}\n`);
  };

  /** Counts a problem. Returns how many of its kind there are. */
  #countKind(kind: string): number {
    const count = (this.#kinds.get(kind) ?? 0) + 1;
    if (count > 1 || this.#kinds.size < MOST_COUNTED) this.#kinds.set(kind, count);
    return count;
  }

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
