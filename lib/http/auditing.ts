import { isStaff } from "../accounts/roles.ts";
import { recordPart } from "../events/audit-part.ts";
import { accompany } from "../table/companion.ts";
import { newId } from "../values/ids.ts";
import type { Trace } from "./answers.ts";
import type { Caller } from "./callers.ts";
import type { Definition } from "./definition.ts";

/** What an owner has seen of the page of first steps: no change of the site that anybody looks for. */
const UNRECORDED = "firstSteps";

/**
 * Lets the record of a call by the team join its transaction. The record says what the trace says when the
 * transaction is sent.
 */
export function keepRecord({ audit }: Definition, caller: Caller | undefined, trace: Trace): void {
  if (audit === undefined || audit === "own affair" || !caller || !isStaff(caller)) return;
  const { userId: by, role } = caller;
  const recordId = newId();
  accompany(() => {
    const { apiKey, item, account, to, changed } = trace;
    if (changed?.join() === UNRECORDED) return undefined;
    return recordPart({ recordId, action: audit, by, role, key: apiKey, item, account, to, changed });
  });
}
