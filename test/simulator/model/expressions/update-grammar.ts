import type { Parsed } from "./condition-grammar.ts";
import { Parser, type Path } from "./parser.ts";

/** What SET assigns. */
export type Term =
  | { path: Path }
  | { value: string }
  | { is: "if_not_exists"; path: Path; otherwise: Term }
  | { is: "list_append" | "+" | "-"; left: Term; right: Term };

/** One change of an update. */
export type Action =
  | { is: "SET"; path: Path; term: Term }
  | { is: "REMOVE"; path: Path }
  | { is: "ADD" | "DELETE"; path: Path; value: string };

/** Parses an update expression into its changes. */
export function parseUpdate(text: string): Parsed<Action[]> {
  const parser = new Parser("UpdateExpression", text);
  const actions: Action[] = [];
  const seen = new Set<string>();
  while (parser.peek().kind !== "end") {
    if (!parser.isKeyword("SET", "REMOVE", "ADD", "DELETE")) throw parser.syntaxError();
    const section = parser.next().text.toUpperCase();
    if (seen.has(section)) {
      throw parser.error(`The "${section}" section can only be used once in an update expression;`);
    }
    seen.add(section);
    actions.push(...parser.list(() => actionOf(parser, section as Action["is"])));
  }
  return { kind: "UpdateExpression", tree: actions, names: parser.names, values: parser.values };
}

function actionOf(parser: Parser, is: Action["is"]): Action {
  const path = parser.path();
  if (is === "REMOVE") return { is, path };
  if (is !== "SET") return { is, path, value: parser.value() };
  parser.expectSign("=");
  return { is, path, term: sum(parser) };
}

function sum(parser: Parser): Term {
  const left = term(parser);
  if (!parser.isSign("+", "-")) return left;
  return { is: parser.next().text as "+" | "-", left, right: term(parser) };
}

function term(parser: Parser): Term {
  if (parser.takeSign("(")) {
    const inner = sum(parser);
    parser.expectSign(")");
    return inner;
  }
  if (parser.peek().kind === "value") return { value: parser.value() };
  const after = parser.peek(1);
  if (parser.peek().kind === "word" && after.kind === "sign" && after.text === "(") return call(parser);
  return { path: parser.path() };
}

const CONDITION_FUNCTIONS = /^(attribute_(not_)?exists|attribute_type|begins_with|contains|size)$/;

function call(parser: Parser): Term {
  const name = parser.next().text;
  if (CONDITION_FUNCTIONS.test(name)) {
    throw parser.error(`The function is not allowed in an update expression; function: ${name}`);
  }
  if (name !== "if_not_exists" && name !== "list_append") {
    throw parser.error(`Invalid function name; function: ${name}`);
  }
  parser.expectSign("(");
  const terms = parser.list(() => sum(parser));
  parser.expectSign(")");
  const [left, right] = terms;
  if (!left || !right || terms.length > 2) {
    throw parser.error(
      `Incorrect number of operands for operator or function; operator or function: ${name}, number of operands: ${terms.length}`,
    );
  }
  if (name === "list_append") return { is: name, left, right };
  if (!("path" in left) || "is" in left) {
    throw parser.error(`Operator or function requires a document path; operator or function: ${name}`);
  }
  return { is: name, path: left.path, otherwise: right };
}
