// Sources without ids of people name them by their addresses or names.

/** The ref of a person: the address in lower case, otherwise the name; undefined for nobody. */
export function personRef(email: string | undefined, name: string | undefined): string | undefined {
  const address = email?.trim().toLowerCase();
  if (address) return `mailto:${address}`;
  const words = name?.trim();
  return words ? `name:${words}` : undefined;
}

/** A ref as the source has it. */
export function shownRef(ref: string): string {
  return ref.replace(/^(mailto|name):/, "");
}
