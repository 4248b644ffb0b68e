import { type App, Validations } from "aws-cdk-lib";
import type { CfnTable } from "aws-cdk-lib/aws-dynamodb";
import type { CfnBucket } from "aws-cdk-lib/aws-s3";
import { AwsSolutionsChecks, ServerlessChecks } from "cdk-nag";
import type { FeedbackBoardStack } from "../../../infra/stack/stack.ts";

/** A finding of cdk-nag that we accept, and why. */
type Acknowledged = { id: string; reason: string };

const acknowledged: Acknowledged[] = [
  {
    id: "AwsSolutions-APIG4",
    reason:
      "The functions check the token themselves: an HTTP API's own JWT authorizer takes RSA only, and its 401 has no body {message, code}. Half of the routes are public by the specification.",
  },
  {
    id: "Serverless-LambdaDLQ",
    reason:
      "Functions behind the API are called synchronously, and Secrets Manager repeats a rotation by itself: no event is lost. Background functions have a dead-letter queue.",
  },
  {
    id: "Serverless-LambdaTracing",
    reason:
      "Background functions are called each minute: their traces would use up the 100,000 that are free a month. All others are traced.",
  },
  { id: "Serverless-SQSRedrivePolicy", reason: "The queue is the dead-letter queue itself." },
  {
    id: "AwsSolutions-IAM5[Resource::*]",
    reason:
      "X-Ray's two actions cannot be limited to a resource; they are in one policy, infra/stack/feedback-board.ts.",
  },
];

// The local stack has no function `migrate`, by which this rule recognises the dead-letter queue.
const acknowledgedLocally = { id: "AwsSolutions-SQS3", reason: "The queue is the dead-letter queue itself." };

const acknowledgedOfPortal: Acknowledged[] = [
  { id: "AwsSolutions-CFR1", reason: "The portal is for readers in every country." },
  {
    id: "AwsSolutions-CFR2",
    reason: "A web ACL costs 5 USD a month when nobody comes. Throttles and rate limits bound what callers can do.",
  },
  {
    id: "AwsSolutions-CFR3",
    reason: "The API writes an access log, without the addresses and search words of readers.",
  },
  ...["AwsSolutions-L1", "Serverless-LambdaLatestVersion"].map((id) => ({
    id,
    reason:
      "The CDK chooses the runtime of its function that fills the bucket; without a portal every function is ours.",
  })),
  {
    id: "AwsSolutions-CFR4",
    reason: "CloudFront's own name has CloudFront's own certificate; a domain of one's own needs TLS 1.2.",
  },
];

function ofExports(stack: FeedbackBoardStack): Acknowledged[] {
  const bucket = stack.board.node.findChild("exports").node.defaultChild as CfnBucket;
  return [
    {
      id: "AwsSolutions-S1",
      reason:
        "A second log adds nothing: the API logs who asks for an export, and anybody may read the portal's files.",
    },
    {
      id: `AwsSolutions-IAM5[Resource::<${stack.getLogicalId(bucket)}.Arn>/*]`,
      reason: "The files of the owner's exports have the id of the export in their names.",
    },
  ];
}

function fillsBucket(stack: FeedbackBoardStack): Acknowledged {
  const bucket = stack.board.node.findChild("portal-files").node.defaultChild as CfnBucket;
  return {
    id: `AwsSolutions-IAM5[Resource::<${stack.getLogicalId(bucket)}.Arn>/assets/*]`,
    reason: "A deploy puts the portal's files there, whose names change with their content.",
  };
}

/** The accepted findings in a stack. */
export function acknowledgedIn(stack: FeedbackBoardStack): Acknowledged[] {
  const own = stack.board.table.node.defaultChild as CfnTable | undefined;
  const table = own ? `<${stack.getLogicalId(own)}.Arn>` : stack.board.table.tableArn;
  return [
    ...acknowledged,
    ...(stack.node.tryGetContext("portal") === "true" ? [...acknowledgedOfPortal, fillsBucket(stack)] : []),
    ...(stack.node.tryGetContext("local") ? [acknowledgedLocally] : ofExports(stack)),
    {
      id: `AwsSolutions-IAM5[Resource::${table}/stream/*]`,
      reason: "dynamodb:ListStreams is granted for all streams of a table or for none; the table is this one.",
    },
  ];
}

export function addChecks(app: App): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
}

export function acknowledge(stack: FeedbackBoardStack): void {
  for (const finding of acknowledgedIn(stack)) Validations.of(stack).acknowledge(finding);
}
