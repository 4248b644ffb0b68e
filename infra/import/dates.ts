// No portal of this kind is older.
const EARLIEST = Date.UTC(2010);

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** A day of the calendar, and the text behind it. */
type Day = { year: number; month: number; day: number; rest: string };

function dayOf(groups: Record<string, string>, text: string, length: number): Day {
  const { y, m = "", d } = groups;
  const month = /^\d/.test(m) ? Number(m) : MONTHS.indexOf(m.slice(0, 3).toLowerCase()) + 1;
  return { year: Number(y), month, day: Number(d), rest: text.slice(length) };
}

// ISO 8601, 2024/1/31, 31.1.2024, 31 January 2024, Wed, 31 Jan 2024, Jan 31, 2024.
const DAYS = [
  /^(?<y>\d{4})([-/.])(?<m>\d\d?)\2(?<d>\d\d?)(?!\d)/,
  /^(?<d>\d\d?)\.(?<m>\d\d?)\.(?<y>\d{4})(?!\d)/,
  /^(?:[a-z]{3,9},? )?(?<d>\d\d?) (?<m>[a-z]{3,9}),? (?<y>\d{4})(?!\d)/i,
  /^(?:[a-z]{3,9},? )?(?<m>[a-z]{3,9}) (?<d>\d\d?),? (?<y>\d{4})(?!\d)/i,
];

// 31/1/2024 in one country is 1/31/2024 in another.
const SLASHED = /^(\d\d?)([-/])(\d\d?)\2(\d{4})(?!\d)/;

/** Whether a text begins with a day such as 1/2/2024, which is in January or in February. */
export function isOneOfTwoDays(text: string): boolean {
  const [, first = "", , second = ""] = SLASHED.exec(text.trim()) ?? [];
  return first !== "" && Number(first) !== Number(second) && Number(first) <= 12 && Number(second) <= 12;
}

function readDay(text: string): Day | undefined {
  for (const form of DAYS) {
    const found = form.exec(text);
    if (found?.groups) return dayOf(found.groups, text, found[0].length);
  }
  const [whole = "", first = "", , second = "", y = ""] = SLASHED.exec(text) ?? [];
  if (whole === "" || isOneOfTwoDays(text)) return undefined;
  const isDayFirst = Number(first) > 12;
  return dayOf({ y, m: isDayFirst ? second : first, d: isDayFirst ? first : second }, text, whole.length);
}

const CLOCK =
  /^(?:,?(?:T| +)(?<h>\d\d?):(?<min>\d\d)(?::(?<s>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?(?: ?(?<half>[ap])\.?m\.?)?)? ?(?:Z|UTC|GMT)?(?:(?<sign>[+-])(?<zh>\d\d):?(?<zmin>\d\d)?)?(?: \([^)]*\))?$/i;

/** The milliseconds since the day began, in UTC; undefined if the text is something else. */
function readClock(text: string): number | undefined {
  const groups = CLOCK.exec(text)?.groups;
  if (!groups) return undefined;
  const { h = "0", min = "0", s = "0", fraction = "", half, sign, zh = "0", zmin = "0" } = groups;
  const hour = half === undefined ? Number(h) : (Number(h) % 12) + (/p/i.test(half) ? 12 : 0);
  if (hour > 23 || Number(h) > 23 || Number(min) > 59 || Number(s) > 59) return undefined;
  const minutes = hour * 60 + Number(min) + (Number(zh) * 60 + Number(zmin)) * (sign === "-" ? 1 : -1);
  return (minutes * 60 + Number(s)) * 1000 + Number(fraction.slice(0, 3).padEnd(3, "0"));
}

function timeIn(text: string): number | undefined {
  // Seconds or milliseconds since 1970, as databases and programs keep times.
  if (/^\d{10}$/.test(text)) return Number(text) * 1000;
  if (/^\d{13}$/.test(text)) return Number(text);
  const found = readDay(text);
  if (!found) return undefined;
  const { year, month, day, rest } = found;
  const start = Date.UTC(year, month - 1, day);
  const back = new Date(start);
  // The 31st of February would become a day in March.
  const isReal = back.getUTCMonth() === month - 1 && back.getUTCDate() === day;
  const sinceStart = readClock(rest);
  return isReal && sinceStart !== undefined ? start + sinceStart : undefined;
}

/**
 * A time in milliseconds since 1970, of a text as ISO 8601, a database, a mail or a sheet writes it. Without a zone it
 * is UTC; what is finer than a millisecond is cut off. Undefined if it is not between 2010 and now, or if it may be one
 * of two days.
 */
export function readTime(text: string, now = Date.now()): number | undefined {
  const time = timeIn(text.trim());
  return time !== undefined && time >= EARLIEST && time <= now ? time : undefined;
}
