/** The names in a cell: a list of JSON, or names between commas, semicolons or bars. */
export function namesIn(cell = ""): string[] {
  const names = listIn(cell) ?? cell.split(/[,;|]/);
  return names.map((name) => name.trim()).filter((name) => name !== "");
}

function listIn(cell: string): string[] | undefined {
  if (!cell.trim().startsWith("[")) return undefined;
  try {
    return (JSON.parse(cell) as unknown[]).map(String);
  } catch {
    return undefined;
  }
}

// Databases write the first ones, programs for sheets the words of their reader's language.
const YES = /^(true|t|yes|y|1|on|wahr|ja|vrai|oui|verdadero|s[ií]|vero|verdadeiro|sim|waar)$/i;
const NO = /^(false|f|no|n|0|off|falsch|nein|faux|non|falso|n[aã]o|onwaar|nee)$/i;

/** Whether a cell says yes or no; undefined if it says something else. */
export function flagIn(cell: string): boolean | undefined {
  const word = cell.trim();
  if (YES.test(word)) return true;
  return NO.test(word) ? false : undefined;
}

/** Whether a value says something that is not no: what may be private or spam must not become public. */
export function mayBeYes(value: unknown): boolean {
  const text = String(value ?? "");
  return text.trim() !== "" && flagIn(text) !== false;
}
