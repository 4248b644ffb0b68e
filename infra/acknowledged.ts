import { type Stack, Validations } from "aws-cdk-lib";
import type { CfnTable, ITable } from "aws-cdk-lib/aws-dynamodb";

// The findings of cdk-nag (AwsSolutions and Serverless) that we live with: four kinds, each with its reason. Whatever else
// it finds stops `cdk synth`.
const acknowledged = [
  {
    id: "AwsSolutions-APIG4",
    reason:
      "The functions check the token themselves: an HTTP API's own JWT authorizer takes RSA only, and its 401 has no body {message, code}. Half of the routes are public by the specification.",
  },
  {
    id: "Serverless-LambdaDLQ",
    reason:
      "Functions behind the API are called synchronously, and Secrets Manager repeats a rotation by itself: no event is ever left over. Background functions have a dead-letter queue.",
  },
  {
    id: "Serverless-SQSRedrivePolicy",
    reason: "The queue is the dead-letter queue itself.",
  },
  {
    id: "AwsSolutions-IAM5[Resource::*]",
    reason: "X-Ray's two actions cannot be limited to a resource; they stand in one policy, infra/stack.ts.",
  },
];

const LIST_STREAMS = "dynamodb:ListStreams exists for all streams of a table only; the table is this one.";

/** Acknowledges, for the whole stack, what infra/acknowledged.ts gives a reason for. */
export const acknowledgeFindings = (stack: Stack, table: ITable): void => {
  for (const finding of acknowledged) Validations.of(stack).acknowledge(finding);
  Validations.of(stack).acknowledge({
    id: `AwsSolutions-IAM5[Resource::<${stack.getLogicalId(table.node.defaultChild as CfnTable)}.Arn>/stream/*]`,
    reason: LIST_STREAMS,
  });
};
