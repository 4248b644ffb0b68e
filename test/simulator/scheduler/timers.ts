import { AsyncLocalStorage } from "node:async_hooks";
import type { Scheduler, Task } from "./scheduler.ts";

const LONGEST = 2 ** 31 - 1;

/** The timers of one container, in virtual time, as numbers; they end when it is killed. */
export class Timers {
  readonly #scheduler: Scheduler;
  readonly #running = new Map<number, Task>();
  #lastId = 0;
  #isDead = false;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  kill(): void {
    this.#isDead = true;
    for (const task of this.#running.values()) this.#scheduler.cancel(task);
    this.#running.clear();
  }

  readonly setTimeout = (callback: (...words: unknown[]) => void, delay = 1, ...words: unknown[]): number => {
    const id = ++this.#lastId;
    if (this.#isDead) return id;
    // The callback sees the AsyncLocalStorage of the code that set the timer, as in Node.
    const bound = AsyncLocalStorage.bind(() => callback(...words));
    const fire = () => {
      this.#running.delete(id);
      this.#scheduler.disturb();
      bound();
    };
    this.#running.set(id, this.#scheduler.after(delay >= 1 && delay <= LONGEST ? Math.trunc(delay) : 1, fire));
    return id;
  };

  readonly clearTimeout = (id: number | undefined): void => {
    const task = this.#running.get(id ?? 0);
    if (!task) return;
    this.#running.delete(id ?? 0);
    this.#scheduler.cancel(task);
  };

  readonly abortAfter = (delay: number): AbortSignal => {
    const controller = new AbortController();
    this.setTimeout(() => {
      controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
    }, delay);
    return controller.signal;
  };

  readonly sleep = <T>(delay?: number, value?: T, ...options: unknown[]): Promise<T | undefined> => {
    if (options.length > 0) throw new Error("a pause that can be aborted is not simulated");
    return new Promise((resolve) => this.setTimeout(() => resolve(value), delay));
  };

  get module() {
    return { setTimeout: this.setTimeout, clearTimeout: this.clearTimeout };
  }
}
