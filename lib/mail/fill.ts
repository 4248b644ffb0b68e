/**
 * A text with its values in the places that their names have in braces; a value that is missing leaves nothing. The
 * full stop behind a value that ends with one is left out: Acme Inc.
 */
export function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}(\.?)/g, (_, name: string, stop: string) => {
    const value = values[name] ?? "";
    return value.endsWith(".") ? value : `${value}${stop}`;
  });
}
