import { compareValues, contentOf, type Item, isEqual, TYPES, typeOf, type Value } from "../values.ts";
import { type Condition, type Operand, type Parsed, parseCondition } from "./condition-grammar.ts";
import { type Placeholders, valueAt } from "./placeholders.ts";
import { type ExpressionKind, invalidExpression } from "./tokens.ts";

/** Tells whether a condition holds for an item, or for none. */
export type Predicate = (item: Item | undefined) => boolean;

const known = new Map<string, Parsed<Condition>>();

/** The parsed form of a condition; each text is parsed once. */
export function conditionOf(kind: ExpressionKind, text: string): Parsed<Condition> {
  const name = `${kind} ${text}`;
  const parsed = known.get(name) ?? parseCondition(kind, text);
  known.set(name, parsed);
  return parsed;
}

/** Checks a condition against its placeholders and makes a predicate of it. */
export function predicateOf(kind: ExpressionKind, text: string, placeholders: Placeholders): Predicate {
  const parsed = conditionOf(kind, text);
  placeholders.use(parsed);
  check(parsed.tree, { kind, placeholders });
  return (item) => holds(parsed.tree, item, placeholders);
}

type Context = { kind: ExpressionKind; placeholders: Placeholders };

/** The value of an operand that no item decides. */
function fixed(operand: Operand, placeholders: Placeholders): Value | undefined {
  return "value" in operand ? placeholders.value(operand.value) : undefined;
}

const ORDERED = new Set(["S", "N", "B"]);
const PREFIXED = new Set(["S", "B"]);
const SIZED = new Set(["S", "B", "L", "M", "SS", "NS", "BS"]);

/** Refuses what can be known to be wrong before an item is read. */
function check(condition: Condition, context: Context): void {
  switch (condition.is) {
    case "and":
    case "or":
      for (const part of condition.parts) check(part, context);
      break;
    case "not":
      check(condition.part, context);
      break;
    case "<":
    case "<=":
    case ">":
    case ">=":
      checkTypes(condition.is, [condition.left, condition.right], ORDERED, context);
      break;
    case "between":
      checkBounds(condition, context);
      break;
    case "begins_with":
      checkTypes(condition.is, [condition.left, condition.right], PREFIXED, context);
      break;
    case "attribute_type":
      checkTypeName(condition.right, context);
      break;
    default:
      for (const operand of "left" in condition ? [condition.left, condition.right] : []) checkSize(operand, context);
  }
}

function wrongType(operator: string, type: string, { kind }: Context): Error {
  return invalidExpression(
    kind,
    `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`,
  );
}

function checkTypes(operator: string, operands: Operand[], allowed: Set<string>, context: Context): void {
  for (const operand of operands) {
    checkSize(operand, context);
    const value = fixed(operand, context.placeholders);
    const type = "sizeOf" in operand ? "N" : value && typeOf(value);
    if (type && !allowed.has(type)) throw wrongType(operator, type, context);
  }
}

function checkSize(operand: Operand, context: Context): void {
  if (!("sizeOf" in operand)) return;
  const value = fixed(operand.sizeOf, context.placeholders);
  if (value && !SIZED.has(typeOf(value))) throw wrongType("size", typeOf(value), context);
}

function checkTypeName(operand: Operand, context: Context): void {
  const value = fixed(operand, context.placeholders);
  if (!value || !("S" in value)) throw wrongType("attribute_type", value ? typeOf(value) : "path", context);
  if (!(TYPES as readonly string[]).includes(value.S)) {
    const problem = `Invalid attribute type name found; type: ${value.S}, valid types: {${TYPES.join(",")}}`;
    throw invalidExpression(context.kind, problem);
  }
}

function shown(value: Value): string {
  return `AttributeValue: {${typeOf(value)}:${contentOf(value)}}`;
}

function checkBounds(condition: Condition & { is: "between" }, context: Context): void {
  checkTypes("BETWEEN", [condition.operand, condition.low, condition.high], ORDERED, context);
  const [low, high] = [fixed(condition.low, context.placeholders), fixed(condition.high, context.placeholders)];
  if (!low || !high) return;
  const order = compareValues(low, high);
  if (order !== undefined && order <= 0) return;
  const need =
    order === undefined
      ? "same data type for lower and upper bounds"
      : "upper bound to be greater than or equal to lower bound";
  throw invalidExpression(
    context.kind,
    `The BETWEEN operator requires ${need}; lower bound operand: ${shown(low)}, upper bound operand: ${shown(high)}`,
  );
}

function sizeOf(value: Value | undefined): Value | undefined {
  if (!value || !SIZED.has(typeOf(value))) return undefined;
  if ("S" in value) return { N: String(Buffer.byteLength(value.S, "utf8")) };
  if ("B" in value) return { N: String(Buffer.from(value.B, "base64").length) };
  if ("M" in value) return { N: String(Object.keys(value.M).length) };
  return { N: String((contentOf(value) as unknown[]).length) };
}

function evaluate(operand: Operand, item: Item | undefined, placeholders: Placeholders): Value | undefined {
  if ("path" in operand) return valueAt(item, placeholders.path(operand.path));
  if ("value" in operand) return placeholders.value(operand.value);
  return sizeOf(evaluate(operand.sizeOf, item, placeholders));
}

/** Whether a condition holds for an item. */
function holds(condition: Condition, item: Item | undefined, placeholders: Placeholders): boolean {
  const value = (operand: Operand) => evaluate(operand, item, placeholders);
  switch (condition.is) {
    case "and":
      return condition.parts.every((part) => holds(part, item, placeholders));
    case "or":
      return condition.parts.some((part) => holds(part, item, placeholders));
    case "not":
      return !holds(condition.part, item, placeholders);
    case "attribute_exists":
      return valueAt(item, placeholders.path(condition.path)) !== undefined;
    case "attribute_not_exists":
      return valueAt(item, placeholders.path(condition.path)) === undefined;
    case "between": {
      const [operand, low, high] = [value(condition.operand), value(condition.low), value(condition.high)];
      return compare(">=", operand, low) && compare("<=", operand, high);
    }
    case "in":
      return condition.choices.some((choice) => compare("=", value(condition.operand), value(choice)));
    case "attribute_type":
    case "begins_with":
    case "contains":
      return test(condition.is, value(condition.left), value(condition.right));
    default:
      return compare(condition.is, value(condition.left), value(condition.right));
  }
}

function compare(operator: string, left: Value | undefined, right: Value | undefined): boolean {
  // An attribute that is not there differs from everything.
  if (operator === "<>") return !left || !right || !isEqual(left, right);
  if (!left || !right) return false;
  if (operator === "=") return isEqual(left, right);
  const order = compareValues(left, right);
  if (order === undefined) return false;
  if (operator === "<") return order < 0;
  if (operator === "<=") return order <= 0;
  return operator === ">" ? order > 0 : order >= 0;
}

function test(name: "attribute_type" | "begins_with" | "contains", left?: Value, right?: Value): boolean {
  if (!left || !right) return false;
  if (name === "attribute_type") return "S" in right && typeOf(left) === right.S;
  if (name === "begins_with") return beginsWith(left, right);
  return contains(left, right);
}

function beginsWith(left: Value, right: Value): boolean {
  if ("S" in left && "S" in right) return left.S.startsWith(right.S);
  if (!("B" in left && "B" in right)) return false;
  const [bytes, prefix] = [Buffer.from(left.B, "base64"), Buffer.from(right.B, "base64")];
  return bytes.subarray(0, prefix.length).equals(prefix);
}

function contains(left: Value, right: Value): boolean {
  if ("S" in left) return "S" in right && left.S.includes(right.S);
  if ("B" in left) return "B" in right && Buffer.from(left.B, "base64").includes(Buffer.from(right.B, "base64"));
  if ("L" in left) return left.L.some((each) => isEqual(each, right));
  if ("SS" in left) return "S" in right && left.SS.includes(right.S);
  if ("NS" in left) return "N" in right && left.NS.includes(right.N);
  return "BS" in left && "B" in right && left.BS.includes(right.B);
}
