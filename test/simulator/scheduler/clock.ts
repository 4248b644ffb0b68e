/** The `Date` of a container: without arguments it tells the container's time, otherwise it is the real one. */
export function virtualDate(now: () => number): DateConstructor {
  class VirtualDate extends Date {
    constructor(...given: unknown[]) {
      if (given.length === 0) super(now());
      else super(...(given as [number]));
    }

    static override now(): number {
      return now();
    }

    // A date that a module of Node made is a date here too.
    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof Date;
    }
  }
  return VirtualDate as unknown as DateConstructor;
}

/** The `performance` of a container: its monotonic clock, which nobody sets. */
export function virtualPerformance(timeOrigin: number, now: () => number) {
  return { timeOrigin, now: () => now() - timeOrigin };
}

/** The `AbortSignal` of a container, whose time limits are in virtual time. */
export function virtualAbortSignal(abortAfter: (milliseconds: number) => AbortSignal): typeof AbortSignal {
  return class extends AbortSignal {
    static override timeout(milliseconds: number): AbortSignal {
      return abortAfter(milliseconds);
    }

    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof AbortSignal;
    }
  };
}
