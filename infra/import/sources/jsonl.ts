import { FIELDS, type Input, type Kind, type Place, type Problem, type Row } from "../formats/form.ts";
import { linesOf } from "../formats/lines.ts";

// A line for each row: {"kind": "post", "ref": "…", "title": "…"}. docs/moving.md#from-a-file-of-json-lines.

function isKind(kind: unknown): kind is Kind {
  return typeof kind === "string" && Object.hasOwn(FIELDS, kind);
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** A merged post of an export, as the merged posts of other portals come in. */
function asPost(row: Record<string, unknown>): Record<string, unknown> {
  return row.kind === "merged" ? { ...row, kind: "post", mergedInto: row.into } : row;
}

/** Names the fields that a kind does not have, each once. */
class Unread {
  readonly #named = new Set<string>();

  *in(kind: Kind, place: Place, fields: object): Generator<Problem> {
    for (const field of Object.keys(fields)) {
      if (FIELDS[kind].includes(field) || this.#named.has(`${kind} ${field}`)) continue;
      this.#named.add(`${kind} ${field}`);
      const what = `is no field of a ${kind}, here and in further lines: not read`;
      yield { place, field: "key", value: field, what };
    }
  }
}

export async function* jsonl(input: Input): AsyncGenerator<Row | Problem> {
  const unread = new Unread();
  for (const file of input.names) {
    for await (const { row, text, isCut } of linesOf(await input.open(file))) {
      if (text.trim() === "") continue;
      const place = { file, row };
      const { kind, ...fields } = asPost((!isCut && parse(text)) || {});
      if (!isKind(kind)) {
        yield { place, field: "line", what: "is no JSON object with a kind: left out" };
        continue;
      }
      yield* unread.in(kind, place, fields);
      yield { kind, place, fields };
    }
  }
}
