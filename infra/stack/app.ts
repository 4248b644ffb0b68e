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
const stack = new FeedbackBoardStack(app, `FeedbackBoard-${stageName}`, { bundles: BUNDLES });
addChecks(app);
acknowledge(stack);
app.synth();
