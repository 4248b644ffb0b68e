/** The events of a run, a line each, if they are kept: equal lines mean equal runs. */
export class Trace {
  readonly lines: string[] = [];
  readonly #isKept: boolean;

  constructor(isKept: boolean) {
    this.#isKept = isKept;
  }

  /** Notes an event: its time, to the microsecond, its place and its text. */
  note(time: number, where: string, what: string): void {
    if (!this.#isKept) return;
    const micros = String(Math.floor((time % 1) * 1000)).padStart(3, "0");
    this.lines.push(`${new Date(time).toISOString().slice(0, -1)}${micros} ${where} ${what}`);
  }
}
