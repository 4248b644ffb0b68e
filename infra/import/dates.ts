const FORM =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s?(?:Z|UTC|([+-])(\d\d):?(\d\d)?)?$/i;

// No portal of this kind is older.
const EARLIEST = Date.UTC(2010);

function timeIn(text: string): number | undefined {
  const found = FORM.exec(text.trim());
  if (!found) return undefined;
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", sign, zoneHour, zoneMinute] = found;
  const numbers = [year, month, day, hour, minute, second].map(Number);
  const [y = 0, m = 0, d = 0, h = 0, min = 0, s = 0] = numbers;
  const time = Date.UTC(y, m - 1, d, h, min, s, Number(fraction.slice(0, 3).padEnd(3, "0")));
  const back = new Date(time);
  // The 31st of February would become a day in March.
  const isReal = back.getUTCMonth() === m - 1 && back.getUTCDate() === d && h < 24 && min < 60 && s < 60;
  if (!isReal) return undefined;
  const offset = (Number(zoneHour ?? 0) * 60 + Number(zoneMinute ?? 0)) * 60_000;
  return sign === "-" ? time + offset : time - offset;
}

/**
 * A time in milliseconds since 1970, of a text as ISO 8601, PostgreSQL or a sheet writes it. Without a zone it is UTC;
 * what is finer than a millisecond is cut off. Undefined if it is not between 2010 and now.
 */
export function readTime(text: string, now = Date.now()): number | undefined {
  const time = timeIn(text);
  return time !== undefined && time >= EARLIEST && time <= now ? time : undefined;
}
