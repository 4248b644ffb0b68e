import { invalid } from "../errors.ts";

/** A token of an expression; the last one is the end. */
export type Token = { kind: "word" | "name" | "value" | "number" | "sign" | "end"; text: string };

/** The parameters that hold expressions; error messages begin with the name. */
export type ExpressionKind =
  | "ConditionExpression"
  | "FilterExpression"
  | "KeyConditionExpression"
  | "ProjectionExpression"
  | "UpdateExpression";

/** An error in an expression, worded as DynamoDB words it. */
export function invalidExpression(kind: ExpressionKind, problem: string): Error {
  return invalid(`Invalid ${kind}: ${problem}`);
}

const TOKEN = /\s*(?:([A-Za-z_]\w*)|(#\w+)|(:\w+)|(\d+)|(<>|<=|>=|[=<>()[\],.+-]))/y;
const KINDS = ["word", "name", "value", "number", "sign"] as const;

/** Splits an expression into its tokens. */
export function tokensOf(kind: ExpressionKind, text: string): Token[] {
  if (text.trim() === "") throw invalidExpression(kind, "The expression can not be empty;");
  const tokens: Token[] = [];
  let at = 0;
  while (text.slice(at).trim() !== "") {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (!found) {
      const rest = text.slice(at).trimStart();
      throw invalidExpression(
        kind,
        `Syntax error; token: "${rest[0]}", near: "${text.slice(Math.max(0, at - 2), at + 5)}"`,
      );
    }
    const groups = found.slice(1);
    const which = groups.findIndex((group) => group !== undefined);
    tokens.push({ kind: KINDS[which] ?? "sign", text: groups[which] ?? "" });
    at = TOKEN.lastIndex;
  }
  return [...tokens, { kind: "end", text: "<EOF>" }];
}
