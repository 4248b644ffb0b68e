import type { BackgroundFunction } from "../../lib/background.ts";
import type { Group } from "../../lib/group.ts";
import type { DeploymentContext } from "./context.ts";

/** The table's name for `sam local`, whose functions need it before the deployment. */
export const LOCAL_TABLE_NAME = "feedback-board";

/** What is deployed, in place of what the properties and the package say: for our own stack, and for tests. */
export type Parts = {
  /** The folder that holds `<name>/index.mjs` of each function. */
  bundles: string;
  context?: DeploymentContext;
  groups?: readonly Group[];
  backgroundFunctions?: readonly BackgroundFunction[];
};
