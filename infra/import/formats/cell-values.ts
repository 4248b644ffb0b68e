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

/** Whether a cell says yes, as databases and programs for sheets write it. */
export function isYes(text = ""): boolean {
  return /^(true|t|yes|y|1)$/i.test(text.trim());
}
