import { type Head, type OwnRow, secretFields } from "../import/own-form.ts";
import { Output } from "./output.ts";

/** A line for each row. Without credentials the lines leave out also who is of the team. */
export class Lines {
  readonly #output: Output;
  readonly #withCredentials: boolean;

  constructor(path: string, withCredentials: boolean) {
    this.#output = new Output(path);
    this.#withCredentials = withCredentials;
    const head: Head = { kind: "export", version: 1, ...(withCredentials && { credentials: true }) };
    this.#output.write(`${JSON.stringify(head)}\n`);
  }

  add(row: OwnRow): void {
    const text = JSON.stringify(row, (field, value) =>
      !this.#withCredentials && secretFields.has(field) ? undefined : value,
    );
    this.#output.write(`${text}\n`);
  }

  close(): void {
    this.#output.close();
  }
}
