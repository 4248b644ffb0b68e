// cdk synth, cdk deploy: bundles the functions, then makes the template. docs/deploy.md.
import { join } from "node:path";
import { App, CliCredentialsStackSynthesizer, type IStackSynthesizer } from "aws-cdk-lib";
import { ManagedPolicy, PermissionsBoundary } from "aws-cdk-lib/aws-iam";
import { buildCards, buildPortal } from "../../portal/build.ts";
import { bundleAll } from "../bundle/bundle.ts";
import { readContext } from "./context.ts";
import { writeFiles } from "./portal-files.ts";
import { FeedbackBoardStack } from "./stack.ts";

const BUNDLES = join(import.meta.dirname, "../../dist/functions");

function synthesizerWith(fileAssetsBucketName: string): IStackSynthesizer {
  return new CliCredentialsStackSynthesizer({ fileAssetsBucketName }) as IStackSynthesizer;
}

const app = new App();
const { stageName, portal } = readContext(app.node);
await bundleAll(BUNDLES);
if (portal) {
  writeFiles(BUNDLES, await buildPortal(join(BUNDLES, "portal/index.mjs")));
  await buildCards(join(BUNDLES, "cards/index.mjs"));
}
// The CDK CLI sets it: so the region of the stack is known at synth.
const { CDK_DEFAULT_REGION: region } = process.env;
// infra/cloudshell/builder.json gives them: a bucket of its own instead of cdk bootstrap's, and the most that the roles
// of functions may do.
const assetsBucket: string | undefined = app.node.tryGetContext("assetsBucket");
const boundary: string | undefined = app.node.tryGetContext("boundary");
const stack = new FeedbackBoardStack(app, `FeedbackBoard-${stageName}`, {
  bundles: BUNDLES,
  ...(region && { env: { region } }),
  ...(assetsBucket && { synthesizer: synthesizerWith(assetsBucket) }),
});
if (boundary) {
  PermissionsBoundary.of(stack).apply(ManagedPolicy.fromManagedPolicyName(stack, "boundary", boundary));
}
app.synth();
