const EACH_MS = 2000;

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${Math.ceil(seconds)} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The state of work in a line: how much of it is done, how fast, and how long the rest takes. */
export function progressLine(name: string, done: number, total: number, seconds: number, what = "rows"): string {
  const rate = done / Math.max(seconds, 0.001);
  const left = rate > 0 ? duration((total - done) / rate) : "unknown";
  const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
  return `${name}: ${done} of ${total} ${what} (${percent} %), ${Math.round(rate)} a second, ${left} left`;
}

/** Prints progress every two seconds: in place on a terminal, otherwise line by line. */
export class Progress {
  readonly #name: string;
  readonly #total: number;
  readonly #what: string | undefined;
  readonly #startedAt = performance.now();
  #done = 0;
  #printedAt = performance.now();

  constructor(name: string, total: number, what?: string) {
    this.#name = name;
    this.#total = total;
    this.#what = what;
  }

  readonly add = (rows: number): void => {
    this.#done += rows;
    if (performance.now() - this.#printedAt < EACH_MS) return;
    this.#printedAt = performance.now();
    const line = progressLine(
      this.#name,
      this.#done,
      this.#total,
      (performance.now() - this.#startedAt) / 1000,
      this.#what,
    );
    if (process.stdout.isTTY) process.stdout.write(`\r\u001b[K${line}`);
    else console.log(line);
  };

  /** Ends the line on a terminal. */
  end(): void {
    if (process.stdout.isTTY) process.stdout.write("\r\u001b[K");
  }
}
