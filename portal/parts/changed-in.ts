type Fields = Record<string, unknown>;

export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The fields of a form that differ from what the page shows. Nothing is shown as an empty text. */
export function changedIn<T extends Fields>(shown: Fields, edited: T): Partial<T> {
  const names = Object.keys(edited).filter((name) => !isSame(shown[name] ?? "", edited[name] ?? ""));
  return Object.fromEntries(names.map((name) => [name, edited[name]])) as Partial<T>;
}
