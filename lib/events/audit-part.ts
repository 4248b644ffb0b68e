import { key } from "../table/keys.ts";
import { type Part, put } from "../table/parts.ts";
import { EXPIRY_ATTRIBUTE } from "../table/table-shape.ts";
import { timeOf } from "../values/ids.ts";
import type { AuditRecord } from "./audit.ts";
import { AUDIT_DAYS } from "./audit-days.ts";

// Apart from what reads records: every function that changes something has this.

/** Part: writes a record, and when it expires. */
export function recordPart({ recordId, ...record }: AuditRecord): Part {
  const expiresAt = Math.ceil(timeOf(recordId) / 1000) + AUDIT_DAYS * 24 * 60 * 60;
  return put(key.audit(recordId), { ...record, [EXPIRY_ATTRIBUTE]: expiresAt });
}
