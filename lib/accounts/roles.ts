import * as z from "zod/mini";

/** A user's role in the site. Its permissions: lib/auth/permissions.ts. */
export const Role = z.enum(["owner", "moderator", "member", "suspended"]);
export type Role = z.infer<typeof Role>;

/** The few among all accounts: the owner with the moderators, and who is suspended. */
export const Group = z.enum(["team", "suspended"]);
export type Group = z.infer<typeof Group>;

const GROUPS: Partial<Record<Role, Group>> = { owner: "team", moderator: "team", suspended: "suspended" };

/** The group of an account; undefined for a member. */
export function groupOf(role: Role): Group | undefined {
  return GROUPS[role];
}

/** Whether an account holds data of others: the owner's or a moderator's. */
export function isStaff<A extends { role: Role }>(account: A): account is A & { role: "owner" | "moderator" } {
  return account.role === "owner" || account.role === "moderator";
}
