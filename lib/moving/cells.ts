// The starts of formulas: programs for sheets cut blanks off, and know the wide forms of Japanese keyboards.
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

/** A cell of CSV (RFC 4180) that no program takes for a formula. */
export function cellOf(value: string | number | boolean): string {
  const text = String(value);
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
