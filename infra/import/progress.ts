const EACH_MS = 2000;
// The rate is of this time. A run that continues passes over what is there, much faster than it writes the rest.
const WINDOW_MS = 60_000;

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${Math.ceil(seconds)} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The state of work in a line: how much of it is done, how much in a second, and how long the rest takes. */
export function progressLine(name: string, done: number, total: number, rate: number, what = "rows"): string {
  const left = rate > 0 ? duration((total - done) / rate) : "unknown";
  const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
  return `${name}: ${done} of ${total} ${what} (${percent} %), ${Math.round(rate)} a second, ${left} left`;
}

type Mark = { at: number; done: number };

/** Prints progress every two seconds: in place on a terminal, otherwise line by line. */
export class Progress {
  readonly #name: string;
  readonly #total: number;
  readonly #what: string | undefined;
  #done = 0;
  /** How much was done at the start and at each line within the window, and at the last line; the oldest first. */
  #marks: Mark[] = [{ at: performance.now(), done: 0 }];

  constructor(name: string, total: number, what?: string) {
    this.#name = name;
    this.#total = total;
    this.#what = what;
  }

  readonly add = (rows: number): void => {
    this.#done += rows;
    const now = performance.now();
    if (now - (this.#marks.at(-1)?.at ?? now) < EACH_MS) return;
    const line = progressLine(this.#name, this.#done, this.#total, this.#rate(now), this.#what);
    if (process.stdout.isTTY) process.stdout.write(`\r\u001b[K${line}`);
    else console.log(line);
  };

  /** How much is done in a second, as of the window, or of the last line if that is older; notes how much is done. */
  #rate(now: number): number {
    const last = this.#marks.at(-1);
    this.#marks = this.#marks.filter((mark) => mark === last || now - mark.at <= WINDOW_MS);
    const [start = { at: now, done: 0 }] = this.#marks;
    this.#marks.push({ at: now, done: this.#done });
    return (1000 * (this.#done - start.done)) / Math.max(now - start.at, 1);
  }

  /** Ends the line on a terminal. */
  end(): void {
    if (process.stdout.isTTY) process.stdout.write("\r\u001b[K");
  }
}
