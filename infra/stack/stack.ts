import { Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { readContext } from "./context.ts";
import { FeedbackBoard } from "./feedback-board.ts";
import type { Parts } from "./parts.ts";

/** The service as a stack of its own, with what `cdk deploy -c name=value` chose. */
export class FeedbackBoardStack extends Stack {
  readonly board: FeedbackBoard;

  constructor(scope: Construct, id: string, { bundles, groups, backgroundFunctions, ...props }: StackProps & Parts) {
    super(scope, id, { description: "Feedback Board: the back end of a feedback portal", ...props });
    const parts = { bundles, ...(groups && { groups }), ...(backgroundFunctions && { backgroundFunctions }) };
    // The CDK leaves this id out of the names of resources.
    this.board = new FeedbackBoard(this, "Default", {}, { ...parts, context: readContext(this.node) });
  }
}
