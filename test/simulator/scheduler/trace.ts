import { createHash } from "node:crypto";

/** The events of a run, a line each, and a digest of them: equal digests mean equal runs. */
export class Trace {
  readonly lines: string[] = [];
  readonly #isKept: boolean;
  readonly #hash = createHash("sha256");
  #unhashed = "";

  constructor({ keep = false }: { keep?: boolean } = {}) {
    this.#isKept = keep;
  }

  /** Notes an event: its time (milliseconds since 1970), its place and its text. */
  note(time: number, where: string, what: string): void {
    const line = `${clockTime(time)} ${where} ${what}`;
    if (this.#isKept) this.lines.push(line);
    this.#unhashed += `${line}\n`;
    if (this.#unhashed.length > 65_536) this.#flush();
  }

  digest(): string {
    this.#flush();
    return this.#hash.copy().digest("hex");
  }

  #flush(): void {
    this.#hash.update(this.#unhashed);
    this.#unhashed = "";
  }
}

const DAY_MS = 86_400_000;

/** Days since 1970 and the time of day, to the microsecond: `20458T09:00:00.012345`. */
function clockTime(time: number): string {
  const day = Math.floor(time / DAY_MS);
  const micros = Math.round((time - day * DAY_MS) * 1000);
  const seconds = Math.floor(micros / 1e6);
  const digits = (value: number, width: number): string => String(value).padStart(width, "0");
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map((each) =>
    digits(each, 2),
  );
  return `${digits(day, 5)}T${clock.join(":")}.${digits(micros % 1e6, 6)}`;
}
