import type { Stack } from "aws-cdk-lib";
import { CfnBudget } from "aws-cdk-lib/aws-budgets";

/**
 * Mails an address on each day that costs the account more than `dollars`. It watches the whole account: AWS bills by
 * tag only after an administrator has activated the tags. The mail comes hours late; throttles and the table's limits
 * bound the bill.
 */
export function addBudget(stack: Stack, prefix: string, dollars: number, email: string): void {
  new CfnBudget(stack, "budget", {
    budget: {
      // A name is unique within an account, in all regions.
      budgetName: `${prefix}-${stack.region}-daily`,
      budgetType: "COST",
      timeUnit: "DAILY",
      budgetLimit: { amount: dollars, unit: "USD" },
    },
    notificationsWithSubscribers: [
      {
        notification: { notificationType: "ACTUAL", comparisonOperator: "GREATER_THAN", threshold: 100 },
        subscribers: [{ subscriptionType: "EMAIL", address: email }],
      },
    ],
  });
}
