import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { actionOf, type TableAccess, type Verb } from "../../lib/table/access.ts";
import { type Family, partitions } from "../../lib/table/keys.ts";

/** How a verb reaches the table; each way has conditions of its own. */
type Way = "alone" | "write in a transaction" | "check in a transaction";

function wayOf(verb: Verb): Way {
  if (verb === "check") return "check in a transaction";
  return verb === "put" || verb === "update" || verb === "delete" ? "write in a transaction" : "alone";
}

/** IAM authorises each part of a transaction as its own action. This condition key tells it from a single call. */
const ONLY_IN_A_TRANSACTION = { "ForAnyValue:StringEquals": { "dynamodb:EnclosingOperation": ["TransactWriteItems"] } };

function onlyKeysLike(patterns: string[]) {
  return {
    "ForAllValues:StringLike": { "dynamodb:LeadingKeys": patterns },
    // ForAllValues is also true without any key, as in a Scan.
    Null: { "dynamodb:LeadingKeys": "false" },
  };
}

/**
 * The conditions of a statement. AWS documents LeadingKeys for calls that are made alone; that it is also told for the parts of a
 * transaction is to be seen: without `leadingKeys` these may be on any item (docs/deploy.md#if-the-first-deploy-fails).
 */
function conditionsOf(way: Way, patterns: string[], leadingKeys: boolean) {
  return {
    ...((leadingKeys || way === "alone") && onlyKeysLike(patterns)),
    // A condition check exists in transactions only, and AWS's table of condition keys does not list this one for it.
    ...(way === "write in a transaction" && ONLY_IN_A_TRANSACTION),
  };
}

/** The statements that allow what a definition says about the table, and nothing else: verbs with the same conditions share one. */
export function tableStatements(access: TableAccess, tableArn: string, leadingKeys: boolean): PolicyStatement[] {
  const familiesOf = new Map<Verb, Family[]>();
  for (const [family, verbs] of Object.entries(access) as [Family, readonly Verb[]][]) {
    for (const verb of verbs) familiesOf.set(verb, [...(familiesOf.get(verb) ?? []), family]);
  }
  const rights = [...familiesOf].map(([verb, families]) => ({
    action: `dynamodb:${actionOf[verb]}`,
    conditions: conditionsOf(wayOf(verb), families.map((family) => partitions[family]).sort(), leadingKeys),
  }));
  const statements = Map.groupBy(rights, ({ conditions }) => JSON.stringify(conditions));
  return [...statements].map(
    ([conditions, group]) =>
      new PolicyStatement({
        actions: group.map(({ action }) => action),
        resources: [tableArn],
        conditions: JSON.parse(conditions),
      }),
  );
}
