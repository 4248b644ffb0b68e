// cdk synth, cdk deploy: bundles the functions, then makes the template. docs/deploy.md.
import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks, ServerlessChecks } from "cdk-nag";
import { bundleAll } from "./bundle.ts";
import { readContext } from "./context.ts";
import { FeedbackBoardStack } from "./stack.ts";

const BUNDLES = "dist/functions";

const app = new App();
const { stageName, local } = readContext(app.node);
await bundleAll(BUNDLES);
new FeedbackBoardStack(app, `FeedbackBoard-${stageName}`, { bundles: BUNDLES });
// Findings that nobody acknowledged stop the synthesis.
if (!local) Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
app.synth();
