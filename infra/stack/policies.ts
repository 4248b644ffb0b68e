import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { actionOf, type TableAccess, type Verb } from "../../lib/data/access.ts";
import { type Family, partitions } from "../../lib/data/keys.ts";

/** How a verb reaches the table; each way has conditions of its own. */
type Way = "read" | "in a transaction" | "alone";

const wayOf = (verb: Verb): Way => {
  if (verb === "get" || verb === "query" || verb === "batchGet") return "read";
  return verb.endsWith("Alone") ? "alone" : "in a transaction";
};

/** IAM authorises each part of a transaction as the action that it is, and tells it apart by this condition key. */
const ONLY_IN_A_TRANSACTION = { "ForAnyValue:StringEquals": { "dynamodb:EnclosingOperation": ["TransactWriteItems"] } };

const onlyKeysLike = (patterns: string[]) => ({
  "ForAllValues:StringLike": { "dynamodb:LeadingKeys": patterns },
  // ForAllValues also holds where there is no key at all, as in a Scan.
  Null: { "dynamodb:LeadingKeys": "false" },
});

/** The statements that allow what a definition says about the table, and nothing else: verbs with the same reach share one. */
export const tableStatements = (access: TableAccess, tableArn: string): PolicyStatement[] => {
  const familiesOf = new Map<Verb, Family[]>();
  for (const [family, verbs] of Object.entries(access) as [Family, readonly Verb[]][]) {
    for (const verb of verbs) familiesOf.set(verb, [...(familiesOf.get(verb) ?? []), family]);
  }
  const byReach = Map.groupBy(familiesOf, ([verb, families]) => `${wayOf(verb)}: ${[...families].sort()}`);
  return [...byReach.values()].map((group) => {
    const [[verb, families]] = group as [[Verb, Family[]]];
    const patterns = families.map((family) => partitions[family]).sort();
    return new PolicyStatement({
      actions: group.map(([each]) => `dynamodb:${actionOf[each]}`),
      resources: [tableArn],
      conditions: { ...onlyKeysLike(patterns), ...(wayOf(verb) === "in a transaction" && ONLY_IN_A_TRANSACTION) },
    });
  });
};
