import type { Role } from "../data/users.ts";

/** What a caller may be allowed to do, in the order in which they are told: docs/decisions.md#roles. */
export const permissions = [
  "profile:update",
  "post:create",
  "post:update",
  "post:destroy",
  "vote:create",
  "vote:destroy",
  "roadmap:search",
  "roadmap:read",
  "board:read",
  "post:moderate",
  "board:write",
  "roadmap:write",
  "user:write",
  "settings:write",
] as const;
export type Permission = (typeof permissions)[number];

// `post:update` and `post:destroy` admit to the endpoints. For a post of another author the body checks `post:moderate`.
const member = [
  "profile:update",
  "post:create",
  "post:update",
  "post:destroy",
  "vote:create",
  "vote:destroy",
  "roadmap:search",
] as const;
const moderator = [...member, "roadmap:read", "board:read", "post:moderate"] as const;

const allowed: Record<Role, ReadonlySet<Permission>> = {
  owner: new Set(permissions),
  moderator: new Set(moderator),
  member: new Set(member),
  suspended: new Set(),
};

/** Whether a role has a permission; a caller without a role (anonymous) has none. */
export const may = (role: Role | undefined, permission: Permission): boolean =>
  role !== undefined && allowed[role].has(permission);

/** All permissions of a role, in the order of the table. */
export const permissionsOf = (role: Role): Permission[] => permissions.filter((permission) => may(role, permission));
