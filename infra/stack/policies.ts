import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { actionsOf, type TableAccess, type Verb } from "../../lib/table/access.ts";
import { type Family, partitions } from "../../lib/table/families.ts";

/** How a verb reaches the table; each way has its own conditions. */
type Way = "alone" | "write in a transaction" | "check in a transaction";

function wayOf(verb: Verb): Way {
  if (verb === "check") return "check in a transaction";
  return verb === "put" || verb === "update" || verb === "delete" ? "write in a transaction" : "alone";
}

/** IAM authorises each part of a transaction as its own action. This condition key is absent from a single call. */
const ONLY_IN_A_TRANSACTION = { "ForAnyValue:StringEquals": { "dynamodb:EnclosingOperation": ["TransactWriteItems"] } };

function onlyKeysLike(patterns: string[]) {
  return {
    "ForAllValues:StringLike": { "dynamodb:LeadingKeys": patterns },
    // ForAllValues is also true without any key, as in a Scan.
    Null: { "dynamodb:LeadingKeys": "false" },
  };
}

/**
 * The conditions of a statement. AWS documents LeadingKeys for single calls, not for the parts of a transaction: should
 * it be missing there, `leadingKeys: false` allows the parts on any item (docs/deploy.md#if-the-first-deploy-fails).
 */
function conditionsOf(way: Way, patterns: string[], leadingKeys: boolean) {
  return {
    ...((leadingKeys || way === "alone") && onlyKeysLike(patterns)),
    // A condition check exists in transactions only, and AWS does not list this condition key for it.
    ...(way === "write in a transaction" && ONLY_IN_A_TRANSACTION),
  };
}

/** The statements that allow exactly this access to the table. Verbs with the same conditions share a statement. */
export function tableStatements(access: TableAccess, tableArn: string, leadingKeys: boolean): PolicyStatement[] {
  const familiesOf = new Map<Verb, Family[]>();
  for (const [family, verbs] of Object.entries(access) as [Family, readonly Verb[]][]) {
    for (const verb of verbs) familiesOf.set(verb, [...(familiesOf.get(verb) ?? []), family]);
  }
  const rights = [...familiesOf].map(([verb, families]) => ({
    actions: actionsOf[verb].map((action) => `dynamodb:${action}`),
    conditions: conditionsOf(wayOf(verb), families.map((family) => partitions[family]).sort(), leadingKeys),
  }));
  const statements = Map.groupBy(rights, ({ conditions }) => JSON.stringify(conditions));
  return [...statements].map(
    ([conditions, group]) =>
      new PolicyStatement({
        actions: group.flatMap(({ actions }) => actions),
        resources: [tableArn],
        conditions: JSON.parse(conditions),
      }),
  );
}
