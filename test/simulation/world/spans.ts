// How something was at the moments of a span, by the times at which it changed.

/** What something was from a time on, and until the next such entry. */
export type Since<T> = { at: number; value: T };

// A letter shows what was read in the same attempt, which ends after some seconds.
export const ATTEMPT_MS = 60_000;

/** Each value, from its time on and until the next one. */
export function spans<T>(history: readonly Since<T>[]): { from: number; to: number; value: T }[] {
  return history.map(({ at, value }, index) => ({ from: at, to: history[index + 1]?.at ?? Infinity, value }));
}

/** The values that something had at some time of a span. */
export function between<T>(history: readonly Since<T>[], from: number, to: number): T[] {
  return spans(history).flatMap((span) => (span.from <= to && span.to >= from ? [span.value] : []));
}
