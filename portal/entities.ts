// Replaces the table of HTML entities in the script for browsers: they know them by themselves.

/** The character that an entity stands for. */
export function decodeHTMLStrict(entity: string): string {
  return new DOMParser().parseFromString(entity.replaceAll("<", "&lt;"), "text/html").documentElement.textContent ?? "";
}
