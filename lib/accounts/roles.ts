import * as z from "zod/mini";

/** A user's role in the site. Its permissions: lib/auth/permissions.ts. */
export const Role = z.enum(["owner", "moderator", "member", "suspended"]);
export type Role = z.infer<typeof Role>;

/** Whether an account holds data of others: the owner's or a moderator's. */
export function isStaff<A extends { role: Role }>(account: A): account is A & { role: "owner" | "moderator" } {
  return account.role === "owner" || account.role === "moderator";
}
