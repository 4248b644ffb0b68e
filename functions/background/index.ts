import type { BackgroundFunction } from "../../lib/background.ts";
import { handler as rewriteNames } from "./rewrite-names.ts";
import { handler as sendMail } from "./send-mail.ts";
import { handler as sweep } from "./sweep.ts";

/** The functions that the table's stream feeds. */
export const backgroundFunctions: readonly BackgroundFunction[] = [sendMail, sweep, rewriteNames];
