import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { RemovalPolicy } from "aws-cdk-lib";
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { ILogGroup } from "aws-cdk-lib/aws-logs";
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from "aws-cdk-lib/aws-s3";
import { Asset } from "aws-cdk-lib/aws-s3-assets";
import { BucketDeployment, CacheControl, Source } from "aws-cdk-lib/aws-s3-deployment";
import type { Construct } from "constructs";
import { loggingStatement } from "./service-function.ts";

/** The folder of the pages' files, beside the bundles of functions. */
export const PORTAL_FILES = "portal-files";

/** Writes the files for browsers, by their paths, where the stack takes them from. */
export function writeFiles(bundles: string, texts: Record<string, string>): void {
  for (const [path, text] of Object.entries(texts)) {
    const file = join(bundles, PORTAL_FILES, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

export type Files = { bucket: IBucket; filled: BucketDeployment };

/**
 * Adds the private bucket of the files that pages load, and the CDK's function that fills it at a deploy. It removes
 * nothing: a page that is open during a deploy finds its files.
 */
export function addFiles(scope: Construct, bundles: string, logGroup: ILogGroup): Files {
  const bucket = new Bucket(scope, "portal-files", {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    // Nothing in it is lost: a deploy fills it again.
    removalPolicy: RemovalPolicy.RETAIN,
  }) as IBucket;
  const source = new Asset(scope, "portal-source", { path: join(bundles, PORTAL_FILES) });
  const allow = (actions: string[], resource: string) => new PolicyStatement({ actions, resources: [resource] });
  const fill = new PolicyDocument({
    statements: [
      allow(["s3:GetObject"], source.bucket.arnForObjects(source.s3ObjectKey)),
      allow(["s3:ListBucket"], bucket.bucketArn),
      allow(["s3:PutObject"], bucket.arnForObjects("assets/*")),
      loggingStatement(logGroup),
    ],
  });
  const role = new Role(scope, "portal-files-role", {
    assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
    description: "Reads one archive, and puts files into the bucket of the portal",
    inlinePolicies: { fill },
  });
  const filled = new BucketDeployment(scope, "fill-portal-files", {
    sources: [Source.bucket(source.bucket, source.s3ObjectKey)],
    destinationBucket: bucket,
    prune: false,
    cacheControl: [CacheControl.fromString("public, max-age=31536000, immutable")],
    // The CDK would add rights to the whole of both buckets.
    role: role.withoutPolicyUpdates(),
    logGroup,
  });
  return { bucket, filled };
}
