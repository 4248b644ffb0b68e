/** Returns a function that gives the time of the next free turn, one in each interval of milliseconds. */
export function turnsEach(interval: number): () => number {
  let next = 0;
  return () => {
    const at = Math.max(Date.now(), next);
    next = at + interval;
    return at;
  };
}
