import type { Kind, Place, Row } from "../formats/form.ts";

// Sources without a list of people name them in each row. These helpers make rows of the common form of such a row.

/** The ref of a person: the address in lower case, otherwise the name; undefined for nobody. */
export function personRef(email: string | undefined, name: string | undefined): string | undefined {
  const address = email?.trim().toLowerCase();
  if (address) return `mailto:${address}`;
  const words = name?.trim();
  return words ? `name:${words}` : undefined;
}

/** The account of a person; none for nobody. */
export function* personRow(
  place: Place,
  email?: string,
  name?: string,
  more: Record<string, unknown> = {},
): Generator<Row> {
  const ref = personRef(email, name);
  if (ref !== undefined) yield { kind: "account", place, fields: { ref, email, name, ...more } };
}

/** Makes a board or status of a name that many rows have: once. */
export class NamedOnce {
  readonly #seen = new Set<string>();

  *row(kind: Kind, place: Place, name: string | undefined, more: Record<string, unknown> = {}): Generator<Row> {
    const ref = name?.trim();
    if (!ref || this.#seen.has(`${kind} ${ref}`)) return;
    this.#seen.add(`${kind} ${ref}`);
    yield { kind, place, fields: { ref, name: ref, ...more } };
  }
}
