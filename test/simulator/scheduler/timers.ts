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

  get module() {
    return { setTimeout: this.setTimeout, clearTimeout: this.clearTimeout };
  }
}
