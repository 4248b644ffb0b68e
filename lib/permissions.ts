import * as z from "zod";

/** What a caller may be allowed to do (decisions.md part 4). */
export type Permission =
  | "post:create"
  | "post:destroy"
  | "vote:create"
  | "vote:destroy"
  | "roadmap:search"
  | "roadmap:read"
  | "board:read";

/** A user's role in the site. */
export const Role = z.enum(["owner", "moderator", "member", "suspended"]);
export type Role = z.infer<typeof Role>;

const member: readonly Permission[] = ["post:create", "post:destroy", "vote:create", "vote:destroy", "roadmap:search"];
const moderator: readonly Permission[] = [...member, "roadmap:read", "board:read"];

// `post:destroy` opens the endpoint; whether the post of another may go is `mayDestroyAnyPost`, asked after the read.
const allowed: Record<Role, ReadonlySet<Permission>> = {
  owner: new Set(moderator),
  moderator: new Set(moderator),
  member: new Set(member),
  suspended: new Set(),
};

/** Whether a role holds a permission; no role (an anonymous caller) holds none. */
export const may = (role: Role | undefined, permission: Permission): boolean =>
  role !== undefined && allowed[role].has(permission);

/** Whether a role may delete the posts of others. */
export const mayDestroyAnyPost = (role: Role): boolean => role === "owner" || role === "moderator";
