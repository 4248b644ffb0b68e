/** Makes a function that gives all who ask turns, one in each interval of milliseconds: the time of the next one. */
export function paceOf(interval: number): () => number {
  let next = 0;
  return () => {
    const at = Math.max(Date.now(), next);
    next = at + interval;
    return at;
  };
}
