import type { Pause } from "../model/operations/work.ts";
import type { Random } from "../scheduler/random.ts";

/** How long the store takes, in milliseconds: each the median of a distribution with a long tail. */
export type Latencies = {
  /** To make a connection, with its TLS handshake. */
  connecting: number;
  /** One way over the network. */
  network: number;
  /** To read an item, or the first one of several. */
  read: number;
  /** To write an item outside of a transaction. */
  write: number;
  /** To reach the first item of a transaction. */
  hold: number;
  /** To decide a transaction. */
  decide: number;
  /** To reach the first item that a decided transaction changes, or lets go. */
  change: number;
  /** Between two items of one request, where they are not read or written at the same moment. */
  between: number;
  /** How often they are not: of 1. */
  apart: number;
};

/** A quiet store: a read of an item takes about 3 ms, a transaction 10 to 20 ms. */
export const QUIET: Latencies = {
  connecting: 8,
  network: 0.4,
  read: 2,
  write: 4,
  hold: 4,
  decide: 4,
  change: 3,
  between: 0.7,
  apart: 0.3,
};

const SPREAD = 0.35;

const FIRST: Record<Pause, (latencies: Latencies) => number> = {
  read: ({ read }) => read,
  write: ({ write }) => write,
  hold: ({ hold }) => hold,
  decide: ({ decide }) => decide,
  change: ({ change }) => change,
  "let go": ({ change }) => change,
};

/** A duration around a median. */
export function durationOf(median: number, random: Random): number {
  return random.longTailed(median, SPREAD);
}

/** How long one request pauses at each of its steps; most steps that follow one of their kind take no time. */
export function pausesOf(latencies: Latencies, random: Random): (pause: Pause) => number {
  let last: Pause | undefined;
  return (pause) => {
    const isFirst = pause !== last;
    last = pause;
    if (isFirst) return durationOf(FIRST[pause](latencies), random);
    return random.chance(latencies.apart) ? durationOf(latencies.between, random) : 0;
  };
}
