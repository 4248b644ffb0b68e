// cdk synth, cdk deploy: bundles the functions, then makes the template. docs/deploy.md.
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { buildPortal } from "../../portal/build.ts";
import { bundleAll } from "../bundle/bundle.ts";
import { readContext } from "./context.ts";
import { writeFiles } from "./portal-files.ts";
import { FeedbackBoardStack } from "./stack.ts";

const BUNDLES = join(import.meta.dirname, "../../dist/functions");

const app = new App();
const { stageName, portal } = readContext(app.node);
await bundleAll(BUNDLES);
if (portal) writeFiles(BUNDLES, await buildPortal(join(BUNDLES, "portal/index.mjs")));
// The CDK CLI sets it: so the stack knows its region at synth.
const { CDK_DEFAULT_REGION: region } = process.env;
new FeedbackBoardStack(app, `FeedbackBoard-${stageName}`, {
  bundles: BUNDLES,
  ...(region && { env: { region } }),
});
app.synth();
