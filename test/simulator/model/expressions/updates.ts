import { invalid } from "../errors.ts";
import { addNumbers } from "../numbers.ts";
import { contentOf, type Item, LONG_TYPES, typeOf, type Value } from "../values.ts";
import type { Parsed } from "./condition-grammar.ts";
import { type Path, pathText, type Step } from "./parser.ts";
import { type Placeholders, valueAt } from "./placeholders.ts";
import { invalidExpression } from "./tokens.ts";
import { type Action, parseUpdate, type Term } from "./update-grammar.ts";

/** Changes an item, or makes one from its key. */
export type Updater = {
  apply: (item: Item) => Item;
  /** The paths that it writes, without placeholders. */
  paths: Path[];
};

const known = new Map<string, Parsed<Action[]>>();

/** Checks an update expression against its placeholders and makes a change of it. */
export function updaterOf(text: string, placeholders: Placeholders): Updater {
  const parsed = known.get(text) ?? parseUpdate(text);
  known.set(text, parsed);
  placeholders.use(parsed);
  const actions = parsed.tree;
  for (const action of actions) checkOperands(action, placeholders);
  const paths = actions.map(({ path }) => placeholders.path(path));
  checkOverlaps(paths);
  return { apply: (item) => applyAll(actions, item, placeholders), paths };
}

function badUpdate(problem: string): Error {
  return invalidExpression("UpdateExpression", problem);
}

const SETS = new Set(["SS", "NS", "BS"]);

function checkOperands(action: Action, placeholders: Placeholders): void {
  if (action.is === "SET") checkTerm(action.term, placeholders);
  if (action.is !== "ADD" && action.is !== "DELETE") return;
  const type = typeOf(placeholders.value(action.value));
  if (SETS.has(type) || (action.is === "ADD" && type === "N")) return;
  throw badUpdate(
    `Incorrect operand type for operator or function; operator: ${action.is}, operand type: ${LONG_TYPES[type]}, typeSet: ALLOWED_FOR_${action.is}_OPERAND`,
  );
}

function checkTerm(term: Term, placeholders: Placeholders): void {
  if (!("is" in term)) return;
  const operands = term.is === "if_not_exists" ? [term.otherwise] : [term.left, term.right];
  for (const operand of operands) {
    checkTerm(operand, placeholders);
    const type = "value" in operand ? typeOf(placeholders.value(operand.value)) : undefined;
    const isFit = term.is === "if_not_exists" || type === (term.is === "list_append" ? "L" : "N");
    if (type === undefined || isFit) continue;
    throw badUpdate(
      `Incorrect operand type for operator or function; operator or function: ${term.is}, operand type: ${type}`,
    );
  }
}

function checkOverlaps(paths: Path[]): void {
  for (const [index, one] of paths.entries()) {
    for (const other of paths.slice(index + 1)) {
      const problem = clash(one, other);
      if (problem === undefined) continue;
      throw badUpdate(
        `Two document paths ${problem} with each other; must remove or rewrite one of these paths; path one: ${pathText(one)}, path two: ${pathText(other)}`,
      );
    }
  }
}

/** One path within the other overlaps; one that takes for a list what the other takes for a map conflicts. */
function clash(one: Path, other: Path): "overlap" | "conflict" | undefined {
  const shared = Math.min(one.length, other.length);
  for (let at = 0; at < shared; at++) {
    if (one[at] === other[at]) continue;
    return typeof one[at] === typeof other[at] ? undefined : "conflict";
  }
  return "overlap";
}

function applyAll(actions: Action[], item: Item, placeholders: Placeholders): Item {
  // Whatever is read is read from the item as it was.
  const changes = actions.map((action) => changeOf(action, item, placeholders));
  let root: Value = { M: item };
  for (const { path, value } of inOrder(changes)) root = write(root, path, value);
  return (root as { M: Item }).M;
}

/** What an update leaves at a path: a value, or nothing. */
type Change = { path: Path; value: Value | undefined };

function changeOf(action: Action, item: Item, placeholders: Placeholders): Change {
  const path = placeholders.path(action.path);
  if (action.is === "REMOVE") return { path, value: undefined };
  if (action.is === "SET") return { path, value: termValue(action.term, item, placeholders) };
  const [old, operand] = [valueAt(item, path), placeholders.value(action.value)];
  return { path, value: action.is === "ADD" ? added(old, operand) : removed(old, operand) };
}

function wrongType(): Error {
  return invalid("An operand in the update expression has an incorrect data type");
}

function termValue(term: Term, item: Item, placeholders: Placeholders): Value {
  if ("value" in term) return placeholders.value(term.value);
  if (!("is" in term)) {
    const value = valueAt(item, placeholders.path(term.path));
    if (!value) throw invalid("The provided expression refers to an attribute that does not exist in the item");
    return value;
  }
  if (term.is === "if_not_exists") {
    return valueAt(item, placeholders.path(term.path)) ?? termValue(term.otherwise, item, placeholders);
  }
  const [left, right] = [termValue(term.left, item, placeholders), termValue(term.right, item, placeholders)];
  if (term.is === "list_append") {
    if (!("L" in left && "L" in right)) throw wrongType();
    return { L: [...left.L, ...right.L] };
  }
  if (!("N" in left && "N" in right)) throw wrongType();
  return { N: addNumbers(left.N, right.N, term.is === "+" ? 1 : -1) };
}

function members(value: Value): string[] {
  return contentOf(value) as string[];
}

function setOf(type: string, content: string[]): Value {
  return { [type]: content } as unknown as Value;
}

function added(old: Value | undefined, operand: Value): Value {
  if (!old) return operand;
  const type = typeOf(old);
  if (type !== typeOf(operand)) throw wrongType();
  if ("N" in old && "N" in operand) return { N: addNumbers(old.N, operand.N) };
  return setOf(type, [...new Set([...members(old), ...members(operand)])]);
}

function removed(old: Value | undefined, operand: Value): Value | undefined {
  if (!old) return undefined;
  const type = typeOf(old);
  if (type !== typeOf(operand)) throw wrongType();
  const left = members(old).filter((each) => !members(operand).includes(each));
  return left.length > 0 ? setOf(type, left) : undefined;
}

/** Writes first, by rising places in lists; then removals, the deepest and the last places first, so that none moves another. */
function inOrder(changes: Change[]): Change[] {
  const place = ({ path }: Change): number => {
    const last = path.at(-1);
    return typeof last === "number" ? last : -1;
  };
  const writes = changes.filter(({ value }) => value).sort((a, b) => place(a) - place(b));
  const removals = changes.filter(({ value }) => !value);
  removals.sort((a, b) => b.path.length - a.path.length || place(b) - place(a));
  return [...writes, ...removals];
}

function badPath(): Error {
  return invalid("The document path provided in the update expression is invalid for update");
}

/** A copy of a value with another one, or nothing, at a path. */
function write(whole: Value, [step, ...rest]: Path, value: Value | undefined): Value {
  const inner = (part: Value | undefined): Value | undefined => {
    if (rest.length === 0) return value;
    if (!part) throw badPath();
    return write(part, rest, value);
  };
  if (typeof step === "number" && "L" in whole) return { L: withElement(whole.L, step, inner(whole.L[step])) };
  if (typeof step === "string" && "M" in whole) {
    return { M: withMember(whole.M, step, inner(Object.hasOwn(whole.M, step) ? whole.M[step] : undefined)) };
  }
  throw badPath();
}

function withMember(map: Item, name: Step, value: Value | undefined): Item {
  if (value) return { ...map, [name]: value };
  const { [name]: _, ...others } = map;
  return others;
}

function withElement(list: Value[], place: number, value: Value | undefined): Value[] {
  // A place beyond the end means: at the end.
  if (value) return place < list.length ? list.with(place, value) : [...list, value];
  return list.filter((_, at) => at !== place);
}
