import type { Kind, Place, Row } from "../formats/form.ts";
import { personRef } from "../formats/person-refs.ts";

// Sources without a list of people name them in each row. These helpers make rows of the common form of such a row.

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
