/** Runs work, at most so many pieces at once; the rest wait in the order in which they came. */
export type Limited = <T>(work: () => Promise<T>) => Promise<T>;

/** Makes a limit of its own. */
export const limitedTo = (limit: number): Limited => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= limit) await new Promise<void>((go) => waiting.push(go));
    else running++;
    try {
      return await work();
    } finally {
      // Whoever waits first takes over this place.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
};
