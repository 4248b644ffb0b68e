import type { Input, Kind, Problem, Row } from "../form.ts";
import { linesOf } from "../lines.ts";

// A line for each row: {"kind": "post", "ref": "…", "title": "…"}. docs/moving.md#from-a-file-of-json-lines.

const kinds: ReadonlySet<unknown> = new Set<Kind>(["account", "board", "roadmap", "status", "post", "vote", "comment"]);

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

export async function* jsonl(input: Input): AsyncGenerator<Row | Problem> {
  for (const file of input.names) {
    for await (const { row, text, isCut } of linesOf(await input.open(file))) {
      if (text.trim() === "") continue;
      const place = { file, row };
      const { kind, ...fields } = (!isCut && parse(text)) || {};
      if (kinds.has(kind)) yield { kind: kind as Kind, place, fields };
      else yield { place, field: "line", what: "is no JSON object with a kind: left out" };
    }
  }
}
