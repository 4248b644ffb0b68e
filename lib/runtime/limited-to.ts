/** Runs work when its turn comes. */
type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Makes a queue that runs `limit` calls in parallel, first come first served. */
export function limitedTo(limit: number): InTurn {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      // The first in the queue takes over this place.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
