import * as z from "zod/mini";
import { type AuditRecord, auditActions, auditFields } from "../../events/audit.ts";
import { createdAt } from "../../values/ids.ts";

const Name = z.nullable(z.string());

/** A change by the team, by ids, with the names that they have now; null for what is gone. */
export const AuditEntry = z.object({
  recordId: z.string(),
  createdAt: z.string(),
  action: z.enum(auditActions),
  ...auditFields,
  byName: Name,
  itemName: z.optional(Name),
  accountName: z.optional(Name),
  toName: z.optional(Name),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** The names of what a record names by ids. */
export type NamesOf = (record: AuditRecord) => {
  by: string | undefined;
  item: string | undefined;
  account: string | undefined;
  to: string | undefined;
};

export function auditView(record: AuditRecord, namesOf: NamesOf): AuditEntry {
  const { item, account, to } = record;
  const names = namesOf(record);
  return {
    ...record,
    createdAt: createdAt(record.recordId),
    byName: names.by ?? null,
    ...(item !== undefined && { itemName: names.item ?? null }),
    ...(account !== undefined && { accountName: names.account ?? null }),
    ...(to !== undefined && { toName: names.to ?? null }),
  };
}
