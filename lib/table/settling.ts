/**
 * How long a request may still write by what it has read, in milliseconds: it ends within ten seconds, and the clocks
 * of two machines may differ by the rest.
 */
export const SETTLE_MS = 15_000;
