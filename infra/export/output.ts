import { closeSync, existsSync, fsyncSync, openSync, writeSync } from "node:fs";

// Lines are written together: a call of the system for each of a million votes would take longer than reading them.
const BATCH = 64 * 1024;

/** A new file, which only its owner can read. */
export class Output {
  readonly #descriptor: number;
  #waiting = "";

  constructor(path: string) {
    this.#descriptor = openSync(path, "w", 0o600);
  }

  write(text: string): void {
    this.#waiting += text;
    if (this.#waiting.length >= BATCH) this.#flush();
  }

  #flush(): void {
    writeSync(this.#descriptor, this.#waiting);
    this.#waiting = "";
  }

  close(): void {
    this.#flush();
    fsyncSync(this.#descriptor);
    closeSync(this.#descriptor);
  }
}

/** Throws if something has the name: an export replaces nothing. */
export function refuseExisting(path: string): void {
  if (existsSync(path)) throw new Error(`${path} is there already: name another file or folder, or move it away`);
}
