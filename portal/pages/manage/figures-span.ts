import { dayAfter, isDay, today } from "./utc-days.ts";

// Of which days the figures are shown. The address holds it: /manage/figures?from=2026-01-01&to=2026-01-31

/** Periods up to today, in days; the service answers with the usual one by itself, and with 366 days at most. */
export const PERIODS = [7, 30, 90, 365];
const USUAL = 30;
const MOST = 366;

/** From which day to which; without them the last thirty days. */
export type Span = { from?: string; to?: string };

/** Its first and last day, as the service understands it. */
export function daysOf({ from, to = today() }: Span): { from: string; to: string } {
  return { from: from ?? dayAfter(to, 1 - USUAL), to };
}

/** The last days, up to today. */
export function upToToday(days: number): Span {
  return days === USUAL ? {} : { from: dayAfter(today(), 1 - days), to: today() };
}

/** The span that begins with another day. Its end follows if it would be too far away, or before it. */
export function spanFrom(from: string, to: string): Span {
  const furthest = dayAfter(from, MOST - 1);
  if (to < from) return { from, to: from };
  return { from, to: to > furthest ? furthest : to };
}

/** The span that ends with another day. Its beginning follows. */
export function spanUpTo(from: string, to: string): Span {
  const furthest = dayAfter(to, 1 - MOST);
  if (from > to) return { from: to, to };
  return { from: from < furthest ? furthest : from, to };
}

/** The span of an address. A day that the service does not take is left out, and an end before its beginning moves. */
export function spanIn({ from = "", to = "" }: Record<string, string>): Span {
  if (isDay(from)) return spanFrom(from, isDay(to) ? to : today());
  return isDay(to) ? { to } : {};
}
