/** How many days a record of the audit log is kept. */
export const AUDIT_DAYS = 400;
