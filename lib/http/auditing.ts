import { isStaff } from "../accounts/roles.ts";
import type { AuditAction } from "../events/audit.ts";
import { recordPart } from "../events/audit-part.ts";
import { accompany } from "../table/companion.ts";
import { newId } from "../values/ids.ts";
import type { Trace } from "./answers.ts";
import type { Caller } from "./callers.ts";
import type { Definition } from "./definition.ts";

/** What an owner has seen of the page of first steps: no change of the site that anybody looks for. */
const UNRECORDED = "firstSteps";

/** What another record of a call says. `action`: what it is called, if not as the definition says. */
export type NextRecord = Trace & { action?: AuditAction };

/**
 * Lets the record of a call by the team join its transaction. The record says what the trace says when the
 * transaction is sent, and is called as the definition says, or `action`.
 */
export function keepRecord(
  { audit }: Definition,
  caller: Caller | undefined,
  trace: Trace,
  action?: AuditAction,
): void {
  if (audit === undefined || audit === "own affair" || !caller || !isStaff(caller)) return;
  const { userId: by, role } = caller;
  const recordId = newId();
  accompany(() => {
    const { apiKey, item, itemName, account, to, changed, values = [] } = trace;
    if (changed?.join() === UNRECORDED) return undefined;
    const ofCall = { recordId, action: action ?? audit, by, role, key: apiKey };
    const told = { item, itemName, account, to, changed };
    return recordPart({ ...ofCall, ...told, ...(values.length > 0 && { values }) });
  });
}
