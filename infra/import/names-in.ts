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
