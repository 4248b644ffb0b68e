import { AsyncLocalStorage } from "node:async_hooks";
import type { Scheduler, Task } from "./scheduler.ts";

type Callback = (...words: unknown[]) => void;

/** What `setTimeout` gives: as much of Node's Timeout as libraries use. */
export class VirtualTimeout {
  readonly id: number;
  readonly #stop: () => void;
  readonly #restart: () => void;

  constructor(id: number, stop: () => void, restart: () => void) {
    this.id = id;
    this.#stop = stop;
    this.#restart = restart;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  refresh(): this {
    this.#restart();
    return this;
  }

  close(): this {
    this.#stop();
    return this;
  }

  [Symbol.toPrimitive](): number {
    return this.id;
  }

  [Symbol.dispose](): void {
    this.#stop();
  }
}

const LONGEST = 2 ** 31 - 1;

/**
 * The timers of one container, in virtual time. They stop for good when it is killed. While it is frozen, as Lambda freezes a
 * container between two invocations, what comes due waits until it goes on.
 */
export class Timers {
  readonly #scheduler: Scheduler;
  readonly #running = new Map<number, Task>();
  #due: (() => void)[] = [];
  #lastId = 0;
  #state: "running" | "frozen" | "dead" = "running";

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  /** Ends all timers; none can be made any more. */
  kill(): void {
    this.#state = "dead";
    for (const task of this.#running.values()) this.#scheduler.cancel(task);
    this.#running.clear();
    this.#due = [];
  }

  /** Holds back what comes due. */
  freeze(): void {
    if (this.#state === "running") this.#state = "frozen";
  }

  /** Goes on, first with what came due meanwhile. */
  thaw(): void {
    if (this.#state !== "frozen") return;
    this.#state = "running";
    for (const run of this.#due.splice(0)) this.#scheduler.after(0, run);
  }

  /** `setTimeout` of Node. */
  readonly setTimeout = (callback: Callback, delay?: number, ...words: unknown[]): VirtualTimeout =>
    this.#start(callback, delay, words, false);

  /** `setInterval` of Node. */
  readonly setInterval = (callback: Callback, delay?: number, ...words: unknown[]): VirtualTimeout =>
    this.#start(callback, delay, words, true);

  /** `setImmediate` of Node. */
  readonly setImmediate = (callback: Callback, ...words: unknown[]): VirtualTimeout => {
    const id = ++this.#lastId;
    const bound = AsyncLocalStorage.bind(() => callback(...words));
    this.#schedule(id, this.#scheduler.now, bound, false);
    return new VirtualTimeout(
      id,
      () => this.clearTimeout(id),
      () => {},
    );
  };

  /** `clearTimeout`, `clearInterval` and `clearImmediate` of Node. */
  readonly clearTimeout = (timeout: VirtualTimeout | number | string | null | undefined): void => {
    const id = timeout instanceof VirtualTimeout ? timeout.id : Number(timeout ?? Number.NaN);
    const task = this.#running.get(id);
    if (!task) return;
    this.#running.delete(id);
    this.#scheduler.cancel(task);
  };

  /** `AbortSignal.timeout`. */
  readonly abortAfter = (delay: number): AbortSignal => {
    const controller = new AbortController();
    this.setTimeout(() => {
      controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
    }, delay);
    return controller.signal;
  };

  /** `setTimeout` of node:timers/promises. */
  readonly sleep = <T>(delay?: number, value?: T, { signal }: { signal?: AbortSignal } = {}): Promise<T | undefined> =>
    new Promise((resolve, reject) => {
      const abort = () => {
        this.clearTimeout(timeout);
        reject(Object.assign(new Error("The operation was aborted"), { name: "AbortError", code: "ABORT_ERR" }));
      };
      const timeout = this.setTimeout(() => {
        signal?.removeEventListener("abort", abort);
        resolve(value);
      }, delay);
      if (signal?.aborted) abort();
      else signal?.addEventListener("abort", abort, { once: true });
    });

  /** These timers under the names of `node:timers`. */
  get module() {
    return {
      setTimeout: this.setTimeout,
      clearTimeout: this.clearTimeout,
      setInterval: this.setInterval,
      clearInterval: this.clearTimeout,
      setImmediate: this.setImmediate,
      clearImmediate: this.clearTimeout,
    };
  }

  #start(callback: Callback, given: number | undefined, words: unknown[], repeats: boolean): VirtualTimeout {
    const id = ++this.#lastId;
    const delay = given !== undefined && given >= 1 && given <= LONGEST ? Math.trunc(given) : 1;
    // The callback sees the AsyncLocalStorage of whoever set the timer, as in Node.
    const bound = AsyncLocalStorage.bind(() => callback(...words));
    const begin = () => this.#schedule(id, this.#scheduler.now + delay, repeats ? again : bound, repeats);
    const again = () => {
      bound();
      if (this.#running.has(id)) begin();
    };
    begin();
    const restart = () => {
      this.clearTimeout(id);
      begin();
    };
    return new VirtualTimeout(id, () => this.clearTimeout(id), restart);
  }

  #schedule(id: number, time: number, run: () => void, repeats: boolean): void {
    if (this.#state === "dead") return;
    const fire = () => {
      if (this.#state === "frozen") {
        this.#due.push(fire);
        return;
      }
      if (!this.#running.has(id)) return;
      if (!repeats) this.#running.delete(id);
      this.#scheduler.disturb();
      run();
    };
    this.#running.set(id, this.#scheduler.at(time, fire));
  }
}
