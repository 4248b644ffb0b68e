import { Parser, type Path, pathText } from "./parser.ts";
import type { ExpressionKind } from "./tokens.ts";

/** What a condition compares: an attribute, a value, or the size of either. */
export type Operand = { path: Path } | { value: string } | { sizeOf: Operand };

/** The signs that compare. */
export type Comparator = "=" | "<>" | "<" | "<=" | ">" | ">=";

/** A condition as a tree. */
export type Condition =
  | { is: "or" | "and"; parts: Condition[] }
  | { is: "not"; part: Condition }
  | { is: Comparator; left: Operand; right: Operand }
  | { is: "between"; operand: Operand; low: Operand; high: Operand }
  | { is: "in"; operand: Operand; choices: Operand[] }
  | { is: "attribute_exists" | "attribute_not_exists"; path: Path }
  | { is: "attribute_type" | "begins_with" | "contains"; left: Operand; right: Operand };

/** A parsed expression with the placeholders that it uses. */
export type Parsed<T> = { kind: ExpressionKind; tree: T; names: ReadonlySet<string>; values: ReadonlySet<string> };

const COMPARATORS = ["=", "<>", "<", "<=", ">", ">="] as const;

const ARITY = {
  attribute_exists: 1,
  attribute_not_exists: 1,
  attribute_type: 2,
  begins_with: 2,
  contains: 2,
  size: 1,
} as const;

type FunctionName = keyof typeof ARITY;

/** Parses a condition, a filter or a key condition. */
export function parseCondition(kind: ExpressionKind, text: string): Parsed<Condition> {
  const parser = new Parser(kind, text);
  const tree = disjunction(parser);
  parser.expectEnd();
  return { kind, tree, names: parser.names, values: parser.values };
}

function disjunction(parser: Parser): Condition {
  return joined(parser, "or", () => joined(parser, "and", () => negation(parser)));
}

function joined(parser: Parser, is: "or" | "and", part: () => Condition): Condition {
  const parts = [part()];
  while (parser.takeKeyword(is.toUpperCase())) parts.push(part());
  return parts.length === 1 ? (parts[0] as Condition) : { is, parts };
}

function negation(parser: Parser): Condition {
  return parser.takeKeyword("NOT") ? { is: "not", part: negation(parser) } : primary(parser);
}

function primary(parser: Parser): Condition {
  if (!parser.isSign("(")) return functionCall(parser) ?? comparison(parser);
  parser.next();
  const startsWithParenthesis = parser.isSign("(");
  const inner = disjunction(parser);
  const endsWithParenthesis = parser.isSign(")") && startsWithParenthesis && !("parts" in inner);
  parser.expectSign(")");
  if (endsWithParenthesis) throw parser.error("The expression has redundant parentheses;");
  return inner;
}

function comparison(parser: Parser): Condition {
  const left = operand(parser);
  if (parser.takeKeyword("BETWEEN")) {
    const low = operand(parser);
    parser.expectKeyword("AND");
    const high = operand(parser);
    for (const bound of [low, high]) checkDistinct(parser, "BETWEEN", left, bound);
    return { is: "between", operand: left, low, high };
  }
  if (parser.takeKeyword("IN")) {
    parser.expectSign("(");
    const choices = parser.list(() => operand(parser));
    parser.expectSign(")");
    for (const choice of choices) checkDistinct(parser, "IN", left, choice);
    return { is: "in", operand: left, choices };
  }
  if (!parser.isSign(...COMPARATORS)) throw parser.syntaxError();
  const is = parser.next().text as Comparator;
  const right = operand(parser);
  checkDistinct(parser, is, left, right);
  return { is, left, right };
}

function checkDistinct(parser: Parser, operator: string, left: Operand, right: Operand): void {
  if (!("path" in left && "path" in right) || pathText(left.path) !== pathText(right.path)) return;
  throw parser.error(
    `The first operand must be distinct from the remaining operands for this operator or function; operator: ${operator}, first operand: ${pathText(left.path)}`,
  );
}

function functionName(parser: Parser): FunctionName | undefined {
  const [{ kind, text }, after] = [parser.peek(), parser.peek(1)];
  if (kind !== "word" || after.kind !== "sign" || after.text !== "(" || /^(AND|OR|NOT|IN|BETWEEN)$/i.test(text))
    return undefined;
  if (!(text in ARITY)) throw parser.error(`Invalid function name; function: ${text}`);
  return text as FunctionName;
}

function functionArguments(parser: Parser, name: FunctionName): Operand[] {
  parser.next();
  parser.expectSign("(");
  const operands = parser.list(() => operand(parser));
  parser.expectSign(")");
  if (operands.length !== ARITY[name]) {
    throw parser.error(
      `Incorrect number of operands for operator or function; operator or function: ${name}, number of operands: ${operands.length}`,
    );
  }
  return operands;
}

function functionCall(parser: Parser): Condition | undefined {
  const name = functionName(parser);
  if (name === undefined || name === "size") return undefined;
  const [left, right] = functionArguments(parser, name) as [Operand, Operand];
  if (name === "attribute_exists" || name === "attribute_not_exists") {
    if (!("path" in left)) {
      throw parser.error(`Operator or function requires a document path; operator or function: ${name}`);
    }
    return { is: name, path: left.path };
  }
  checkDistinct(parser, name, left, right);
  return { is: name, left, right };
}

function operand(parser: Parser): Operand {
  if (parser.peek().kind === "value") return { value: parser.value() };
  const name = functionName(parser);
  if (name === undefined) return { path: parser.path() };
  if (name !== "size")
    throw parser.error(`The function is not allowed to be used this way in an expression; function: ${name}`);
  return { sizeOf: functionArguments(parser, name)[0] as Operand };
}
