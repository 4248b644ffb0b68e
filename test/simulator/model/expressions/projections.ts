import type { Item, Value } from "../values.ts";
import type { Parsed } from "./condition-grammar.ts";
import { Parser, type Path } from "./parser.ts";
import { type Placeholders, valueAt } from "./placeholders.ts";

function parse(text: string): Parsed<Path[]> {
  const parser = new Parser("ProjectionExpression", text);
  const tree = parser.list(() => parser.path());
  parser.expectEnd();
  return { kind: "ProjectionExpression", tree, names: parser.names, values: parser.values };
}

/** Checks a projection and makes of it what takes these parts out of an item. */
export function projectorOf(text: string, placeholders: Placeholders): (item: Item) => Item {
  const parsed = parse(text);
  placeholders.use(parsed);
  const paths = parsed.tree.map((path) => placeholders.path(path));
  return (item) => project(item, paths);
}

/** The parts of an item at some paths, in the maps and lists that hold them. */
export function project(item: Item, paths: Path[]): Item {
  let result: Part = new Map();
  for (const path of paths) {
    const value = valueAt(item, path);
    if (value) result = graft(result, path, value);
  }
  return (finished(result) as { M: Item }).M;
}

/** A map or list of which only some members are there. */
type Part = Map<string | number, Part | Value>;

function graft(part: Part, [step, ...rest]: Path, value: Value): Part {
  const key = step as string | number;
  const inner = part.get(key);
  part.set(key, rest.length === 0 ? value : graft(inner instanceof Map ? inner : new Map(), rest, value));
  return part;
}

function finished(part: Part | Value): Value {
  if (!(part instanceof Map)) return part;
  const entries = [...part];
  if (entries.some(([key]) => typeof key === "number")) {
    return { L: entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, each]) => finished(each)) };
  }
  return { M: Object.fromEntries(entries.map(([key, each]) => [key, finished(each)])) };
}
