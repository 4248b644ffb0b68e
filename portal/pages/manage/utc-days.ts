import { language } from "../../text.ts";

// Days in UTC, as the service counts them: `yyyy-mm-dd`.

const DAY_MS = 86_400_000;

export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** Whether a text is a day of the calendar, in the years that the service takes. */
export function isDay(text: string): boolean {
  const isWritten = /^(19[7-9]\d|2\d{3})-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
  return isWritten && dayAfter(text, 0) === text;
}

/** The day some days later; earlier if the number is negative. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** How many days there are from one to another, both included. */
export function lengthOf(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
}

/** A date without a time is one of UTC: to readers west of it, its midnight is the day before. */
export function dayText(day: string): string {
  return new Date(day).toLocaleDateString(language.value, { dateStyle: "medium", timeZone: "UTC" });
}
