// Replaces the table of HTML entities in the script for browsers: they know them by themselves.

export function decodeHTML(text: string): string {
  return new DOMParser().parseFromString(text.replaceAll("<", "&lt;"), "text/html").documentElement.textContent ?? "";
}
