// cdk synth, cdk deploy: bundles the functions, then makes the template. docs/deploy.md.
import { App } from "aws-cdk-lib";
import { bundleAll } from "../bundle/bundle.ts";
import { acknowledge, addChecks } from "./checks.ts";
import { readContext } from "./context.ts";
import { FeedbackBoardStack } from "./stack.ts";

const BUNDLES = "dist/functions";

const app = new App();
const { stageName } = readContext(app.node);
await bundleAll(BUNDLES);
// The CDK CLI sets it: so the stack knows its region at synth.
const { CDK_DEFAULT_REGION: region } = process.env;
const stack = new FeedbackBoardStack(app, `FeedbackBoard-${stageName}`, {
  bundles: BUNDLES,
  ...(region && { env: { region } }),
});
addChecks(app);
acknowledge(stack);
app.synth();
