export type Random = { below: (limit: number) => number; oneOf: <T>(things: readonly T[]) => T };

export function random(seed: number): Random {
  // mulberry32
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, oneOf: (things) => things[below(things.length)] as (typeof things)[number] };
}
