// Days are texts, `yyyy-mm-dd`, and months `yyyy-mm`, both in UTC.

export const DAY_MS = 86_400_000;

/** The day of a moment, in milliseconds since 1970. */
export function dayAt(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** When a day begins, in milliseconds since 1970. */
export function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`);
}

const DAY = /^(19[7-9]\d|2\d{3})-\d\d-\d\d$/;

/** Whether a text is a day, from 1970 to 2999. */
export function isDay(text: string): boolean {
  const time = startOf(text);
  return DAY.test(text) && !Number.isNaN(time) && dayAt(time) === text;
}

export function monthOf(day: string): string {
  return day.slice(0, 7);
}

/** When a month begins and when the next one does, in milliseconds since 1970. */
export function boundsOf(month: string): { start: number; end: number } {
  const start = new Date(startOf(`${month}-01`));
  return { start: start.getTime(), end: Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1) };
}

/** All days from one to another, both included. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let time = startOf(from); time <= startOf(to); time += DAY_MS) days.push(dayAt(time));
  return days;
}

/** All months from one to another, both included. */
export function monthsBetween(from: string, to: string): string[] {
  const months: string[] = [];
  for (let month = from; month <= to; month = monthOf(dayAt(boundsOf(month).end))) months.push(month);
  return months;
}
