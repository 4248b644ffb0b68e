// The starts of formulas: programs for sheets cut blanks off, and know the wide forms of Japanese keyboards.
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

// What keeps a text from being taken for a formula.
const GUARD = "'";

/** A cell of CSV (RFC 4180) that no program takes for a formula. */
export function cellOf(value: string | number | boolean): string {
  const text = String(value);
  const harmless = FORMULA.test(text) ? GUARD + text : text;
  return /[",\r\n]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** The text of a cell that `cellOf` made, or another program that guards its cells in the same way. */
export function textOfCell(cell: string): string {
  const rest = cell.slice(GUARD.length);
  return cell.startsWith(GUARD) && FORMULA.test(rest) ? rest : cell;
}
