import type { BackgroundFunction } from "../../lib/background.ts";
import { handler as keep } from "./keep.ts";
import { handler as send } from "./send.ts";

/** The functions that the table's stream feeds: at most two, as DynamoDB allows two readers of a stream's shard. */
export const backgroundFunctions: readonly BackgroundFunction[] = [keep, send];
