import * as z from "zod/mini";
import { type AuditRecord, type AuditValue, auditActions, auditFields } from "../../events/audit.ts";
import { createdAt } from "../../values/ids.ts";

const Name = z.nullable(z.string());

/** What a field was, and what it became, by ids or words, with the names that they have now; null for nothing. */
export const ChangedValue = z.object({ field: z.string(), from: Name, fromName: Name, to: Name, toName: Name });
export type ChangedValue = z.infer<typeof ChangedValue>;

/** A change by the team, by ids, with the names that they have now; null for what is gone. */
export const AuditEntry = z.object({
  recordId: z.string(),
  createdAt: z.string(),
  action: z.enum(auditActions),
  ...auditFields,
  values: z.optional(z.array(ChangedValue)),
  byName: Name,
  itemName: z.optional(Name),
  accountName: z.optional(Name),
  toName: z.optional(Name),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

type MaybeName = string | undefined;

/** The names of what a record names by ids. */
export type NamesOf = (record: AuditRecord) => {
  by: MaybeName;
  item: MaybeName;
  account: MaybeName;
  to: MaybeName;
  value: (field: string, id: MaybeName) => MaybeName;
};

function valueView({ field, from, to }: AuditValue, { value }: ReturnType<NamesOf>): ChangedValue {
  return {
    field,
    from: from ?? null,
    fromName: value(field, from) ?? null,
    to: to ?? null,
    toName: value(field, to) ?? null,
  };
}

export function auditView({ values, ...record }: AuditRecord, namesOf: NamesOf): AuditEntry {
  const { item, account, to } = record;
  const names = namesOf(record);
  return {
    ...record,
    ...(values && { values: values.map((value) => valueView(value, names)) }),
    createdAt: createdAt(record.recordId),
    byName: names.by ?? null,
    ...(item !== undefined && { itemName: names.item ?? null }),
    ...(account !== undefined && { accountName: names.account ?? null }),
    ...(to !== undefined && { toName: names.to ?? null }),
  };
}
