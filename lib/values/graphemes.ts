// Characters as people see them: a flag, an emoji of several parts or a letter with its accents is one.

function segmentsOf(text: string): Intl.Segments | undefined {
  // Firefox has it since version 125.
  return "Segmenter" in Intl ? new Intl.Segmenter().segment(text) : undefined;
}

export function graphemesOf(text: string): string[] {
  const segments = segmentsOf(text);
  return segments ? Array.from(segments, ({ segment }) => segment) : [...text];
}

/** The whole characters among the first code units (UTF-16) of a text. */
export function wholeWithin(text: string, units: number): string {
  if (text.length <= units) return text;
  const end = segmentsOf(text)?.containing(units)?.index;
  return end === undefined ? text.slice(0, units).replace(/[\ud800-\udbff]$/, "") : text.slice(0, end);
}

/** The first letter of a name, as a capital: it stands for a person or a site. */
export function letterOf(name: string): string {
  return graphemesOf(name.trim().toLocaleUpperCase())[0] ?? "";
}
