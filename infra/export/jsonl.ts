import type { OwnRow } from "../../lib/moving/form.ts";
import { headLine, lineOf } from "../../lib/moving/lines.ts";
import { Output } from "./output.ts";

/** A file with a line for each row. */
export class Lines {
  readonly #output: Output;
  readonly #withCredentials: boolean;

  constructor(path: string, withCredentials: boolean) {
    this.#output = new Output(path);
    this.#withCredentials = withCredentials;
    this.#output.write(headLine(withCredentials));
  }

  add(row: OwnRow): void {
    this.#output.write(lineOf(row, this.#withCredentials));
  }

  close(): void {
    this.#output.close();
  }
}
