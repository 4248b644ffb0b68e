import { Duration, RemovalPolicy } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";
import type { Environment, Service } from "./service-function.ts";

/**
 * Adds the private bucket of the owner's exports. A function removes a file after an hour; what it leaves behind, such
 * as parts of a file that was given up, ends by the rules of the bucket.
 */
export function addExports(scope: Construct): IBucket {
  return new Bucket(scope, "exports", {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    lifecycleRules: [{ expiration: Duration.days(1), abortIncompleteMultipartUploadAfter: Duration.days(1) }],
    // Objects in a bucket would stop the removal of the stack. They end within two days, by the rules above.
    removalPolicy: RemovalPolicy.RETAIN,
  }) as IBucket;
}

type Use = { statements: PolicyStatement[]; environment: Environment };

const ACTIONS = { read: ["s3:GetObject"], write: ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"] };

/** What a function needs to read or write exports; nothing for `sam local`. */
export function usingExports({ exports }: Service, how: keyof typeof ACTIONS | undefined): Use {
  if (!exports || !how) return { statements: [], environment: {} };
  return {
    statements: [new PolicyStatement({ actions: ACTIONS[how], resources: [exports.arnForObjects("*")] })],
    environment: { EXPORT_BUCKET_URL: `https://${exports.bucketRegionalDomainName}` },
  };
}
