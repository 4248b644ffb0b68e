import type { StoreCall } from "../store/calls.ts";

// IAM's evaluation of identity policies, as far as our policies use it; an operator that it does not know is an error.

/** A statement of a policy document, as a template has it. */
export type Statement = {
  Effect: "Allow" | "Deny";
  Action: string | string[];
  Resource: unknown;
  Condition?: Record<string, Record<string, string | string[]>>;
};

/** What IAM is asked: an action on a resource, with the context keys of the call. */
export type AccessRequest = { action: string; resource: unknown; context: Record<string, string[]> };

function listOf<T>(value: T | T[]): T[] {
  return Array.isArray(value) ? value : [value];
}

// Few patterns judge many calls.
const patterns = new Map<string, RegExp>();

function regExpOf(pattern: string): RegExp {
  const known = patterns.get(pattern);
  if (known) return known;
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", "[^]*")
    .replaceAll("?", "[^]");
  const made = new RegExp(`^${source}$`);
  patterns.set(pattern, made);
  return made;
}

/** Whether a text is of a pattern with `*` and `?`. */
export function isLike(text: string, pattern: string): boolean {
  return regExpOf(pattern).test(text);
}

type Test = (value: string, wanted: string) => boolean;

const tests: Record<string, Test> = {
  StringEquals: (value, wanted) => value === wanted,
  StringLike: isLike,
  Bool: (value, wanted) => value === wanted,
};

function holds(operator: string, values: string[] | undefined, wanted: string[]): boolean {
  if (operator === "Null") return wanted.includes(String(values === undefined));
  const [qualifier, name] = operator.includes(":") ? operator.split(":") : ["", operator];
  const test = tests[name ?? ""];
  if (!test) throw new Error(`The evaluator does not know ${operator}`);
  const matches = (value: string) => wanted.some((each) => test(value, each));
  // An absent key has no value that could fail, and none that could match.
  if (qualifier === "ForAllValues") return (values ?? []).every(matches);
  if (qualifier === "ForAnyValue") return (values ?? []).some(matches);
  if (values && values.length > 1) throw new Error(`${operator} on a key with several values`);
  return values?.[0] !== undefined && matches(values[0]);
}

// Names of resources are intrinsic functions in a template: compared as the text that they are.
function textOf(resource: unknown): string {
  return typeof resource === "string" ? resource : JSON.stringify(resource);
}

function applies(statement: Statement, { action, resource, context }: AccessRequest): boolean {
  return (
    listOf(statement.Action).some((pattern) => isLike(action.toLowerCase(), pattern.toLowerCase())) &&
    listOf(statement.Resource).some((pattern) => isLike(textOf(resource), textOf(pattern))) &&
    Object.entries(statement.Condition ?? {}).every(([operator, keys]) =>
      Object.entries(keys).every(([key, wanted]) => holds(operator, context[key], listOf(wanted))),
    )
  );
}

/** Whether the statements allow a request: one allows it and none denies it. */
export function allows(statements: Statement[], request: AccessRequest): boolean {
  const applying = statements.filter((statement) => applies(statement, request));
  return applying.length > 0 && applying.every(({ Effect }) => Effect === "Allow");
}

/** One thing that a statement on items allows: an action on keys of one pattern, inside of transactions or outside. */
type Grant = { action: string; pattern: string; inTransaction: boolean };

export function grantsOn(statements: Statement[]): Grant[] {
  return statements.flatMap(({ Action, Condition = {} }) => {
    const patterns = listOf(Condition["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"] ?? []);
    const inTransaction = "ForAnyValue:StringEquals" in Condition;
    return listOf(Action).flatMap((action) => patterns.map((pattern) => ({ action, pattern, inTransaction })));
  });
}

/** The requests to IAM for a call to the table: one for each part of a transaction, one for a whole batch. */
export function requestsOf({ operation, touches, inTransaction }: StoreCall, resource: unknown): AccessRequest[] {
  const keys = touches.map(({ pk }) => pk).filter((pk) => pk !== "undefined");
  if (!inTransaction) {
    const context: AccessRequest["context"] = keys.length > 0 ? { "dynamodb:LeadingKeys": keys } : {};
    return [{ action: `dynamodb:${operation}`, resource, context }];
  }
  return touches.map(({ action, pk }) => ({
    action: `dynamodb:${action}`,
    resource,
    context: {
      "dynamodb:LeadingKeys": [pk],
      // AWS's table of condition keys lists this one for the writes, and not for a condition check.
      ...(action !== "ConditionCheckItem" && { "dynamodb:EnclosingOperation": [operation] }),
    },
  }));
}

// One right: reads that begin together are one batch, a read by itself is none.
const BY_KEY = ["dynamodb:GetItem", "dynamodb:BatchGetItem"];

export function uses({ action, context }: AccessRequest, grant: Grant): boolean {
  return (
    (action === grant.action || (BY_KEY.includes(action) && BY_KEY.includes(grant.action))) &&
    "dynamodb:EnclosingOperation" in context === grant.inTransaction &&
    (context["dynamodb:LeadingKeys"] ?? []).some((key) => isLike(key, grant.pattern))
  );
}
