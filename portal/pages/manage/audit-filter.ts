import { withQuery } from "../../with-query.ts";
import type { AuditEntry } from "./audit-words.ts";

// Which changes the audit log shows. The address holds it: /manage/audit?action=post&from=2026-01-31&by=<id>

/** `from` and `to` are days as the reader's clock has them: 2026-01-31. */
export type AuditFilter = { by?: string; item?: string; action?: string; from?: string; to?: string };

const NAMES = ["by", "item", "action", "from", "to"] as const;

/** The moment at which a day begins, or a later day; undefined for another text. */
function startOf(day: string, daysLater = 0): Date | undefined {
  const [year = Number.NaN, month = 1, date = 1] = day.split("-").map(Number);
  // By the calendar: where the clocks change, a day has 23 or 25 hours, or no midnight.
  return Number.isNaN(Date.parse(day)) ? undefined : new Date(year, month - 1, date + daysLater);
}

/** The filter of an address. A day that is none is left out. */
export function filterIn(query: Record<string, string>): AuditFilter {
  const isGood = (name: string) => query[name] && (!/^(from|to)$/.test(name) || startOf(query[name]));
  return Object.fromEntries(NAMES.filter(isGood).map((name) => [name, query[name]]));
}

/** The filter with another first or last day. The other one moves where it would be before the first. */
export function withDay(filter: AuditFilter, day: { from: string } | { to: string }): AuditFilter {
  const { from, to, ...rest }: AuditFilter = { ...filter, ...day };
  if (!from || !to || from <= to) return { ...filter, ...day };
  const [only = ""] = Object.values(day);
  return { ...rest, from: only, to: only };
}

/** The address of the page with a filter. */
export function addressWith(filter: AuditFilter): string {
  return withQuery("/manage/audit", filter);
}

/** The filter as the service takes it: days become moments. */
export function queryOf({ from, to, action, ...rest }: AuditFilter) {
  const first = from && startOf(from);
  const afterLast = to && startOf(to, 1);
  return {
    ...rest,
    ...(action && { action: action as AuditEntry["action"] }),
    ...(first && { from: first.toISOString() }),
    ...(afterLast && { to: new Date(afterLast.getTime() - 1).toISOString() }),
  };
}
