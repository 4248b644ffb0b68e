import { Random } from "./random.ts";

export type Task = { readonly time: number; run: (() => void) | undefined };

/** Real work outside of the event loop's thread (a hash, a signature): how to hand over its result. */
type External = { arrived: Promise<void>; settle: (() => void) | undefined };

// Saved before a test can replace it.
const nextTurn = setImmediate;

/**
 * The one queue of a simulation: virtual time goes from task to task and never by itself. After each task that let
 * simulated code run, all promises that can settle do so before the next task begins, so a run depends on its seed
 * alone.
 */
export class Scheduler {
  readonly random: Random;
  #now: number;
  /** The latest task first; of tasks of one moment, the one that was made last. */
  readonly #queue: Task[] = [];
  #externals: External[] = [];
  #isUnsettled = false;

  constructor({ seed, start = Date.UTC(2026, 0, 5, 9) }: { seed: string | number; start?: number }) {
    this.random = new Random(seed);
    this.#now = start;
  }

  /** The virtual time, in milliseconds since 1970, with fractions. */
  get now(): number {
    return this.#now;
  }

  /** Runs a task at a moment, or now if that has passed; tasks of one moment run in the order they were made. */
  at(time: number, run: () => void): Task {
    const task: Task = { time: Math.max(time, this.#now), run };
    let low = 0;
    let high = this.#queue.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#queue[middle] as Task).time > task.time) low = middle + 1;
      else high = middle;
    }
    this.#queue.splice(low, 0, task);
    return task;
  }

  after(milliseconds: number, run: () => void): Task {
    return this.at(this.#now + milliseconds, run);
  }

  cancel(task: Task): void {
    task.run = undefined;
  }

  /** Announces that simulated code is about to run or a promise to settle: the queue waits until all is quiet. */
  disturb(): void {
    this.#isUnsettled = true;
  }

  /**
   * Waits for work of another thread. Virtual time stops until the work is done, and results are handed over in the
   * order of the requests. A result is dropped if `isWanted` says no.
   */
  external<T>(work: Promise<T>, isWanted: () => boolean = () => true): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const external: External = { arrived: Promise.resolve(), settle: undefined };
      external.arrived = work.then(
        (value) => {
          external.settle = () => isWanted() && resolve(value);
        },
        (error) => {
          external.settle = () => isWanted() && reject(error);
        },
      );
      this.#externals.push(external);
      this.disturb();
    });
  }

  /** Runs what is due up to a moment, which is then the time. */
  async runUntil(time: number): Promise<void> {
    await this.#settle();
    for (let next = this.#next(); next && next.time <= time; next = this.#next()) await this.#step();
    this.#now = Math.max(this.#now, time);
  }

  /** Runs until a promise settles; throws if no task is left that could settle it. */
  async complete<T>(promise: Promise<T>): Promise<T> {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    promise.then(over, over);
    this.disturb();
    await this.#settle();
    while (!isOver) {
      if (!this.#next()) throw new Error("the simulation stands still: nothing is left to do, and it is not over");
      await this.#step();
    }
    return promise;
  }

  #next(): Task | undefined {
    while (this.#queue.length > 0 && !this.#queue.at(-1)?.run) this.#queue.pop();
    return this.#queue.at(-1);
  }

  async #step(): Promise<void> {
    const { time, run } = this.#queue.pop() as Task;
    this.#now = time;
    run?.();
    if (this.#isUnsettled) await this.#settle();
  }

  async #settle(): Promise<void> {
    while (this.#isUnsettled || this.#externals.length > 0) {
      this.#isUnsettled = false;
      // All microtasks and ticks are done before the next turn of the real event loop.
      await new Promise<void>((done) => nextTurn(done));
      const external = this.#externals.shift();
      if (!external) continue;
      await external.arrived;
      external.settle?.();
      this.#isUnsettled = true;
    }
  }
}
