/** A text with its values in the places that their names have in braces; a value that is missing leaves nothing. */
export function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
}
