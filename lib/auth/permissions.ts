import type { Role } from "../accounts/roles.ts";
import { ApiError } from "../runtime/errors.ts";

// The names come from LogChimp's web front end, where it has them. `:own` means the caller's own things.

// A member lacks `post:update` and `post:destroy`: clients would offer both at every post.
const member = [
  "profile:update",
  "post:create",
  "post:update:own",
  "post:destroy:own",
  "vote:create",
  "vote:destroy",
  "comment:create",
  "comment:update:own",
  "comment:delete:own",
  "report:create",
  "roadmap:search",
] as const;

const moderator = [
  ...member,
  "roadmap:read",
  "board:read",
  "post:moderate",
  "post:update",
  "post:destroy",
  "tag:write",
  "comment:create_internal",
  "comment:view_internal",
  "comment:update:any",
  "comment:delete:any",
  "dashboard:read",
  "stats:read",
  "key:create",
] as const;

/** The permissions that endpoints require: docs/contract.md#roles. */
export const permissions = [
  ...moderator,
  "board:create",
  "board:update",
  "board:destroy",
  "roadmap:create",
  "roadmap:update",
  "roadmap:destroy",
  "post:assign",
  "vote:assign",
  "vote:unassign",
  "user:write",
  "settings:update",
  "audit:read",
  "webhook:read",
  "webhook:write",
] as const;
export type Permission = (typeof permissions)[number];

/** No endpoint requires these: LogChimp's front end shows parts of its dashboard by them. */
const dashboardWords = [
  "post:read",
  "board:assign",
  "board:unassign",
  "roadmap:assign",
  "roadmap:unassign",
  "role:read",
  "role:create",
  "role:update",
  "role:destroy",
  "role:assign",
  "role:unassign",
  "settings:read",
] as const;

const allowed: Record<Role, ReadonlySet<Permission>> = {
  owner: new Set(permissions),
  moderator: new Set(moderator),
  member: new Set(member),
  suspended: new Set(),
};

export type Rights = { role: Role; scopes?: readonly string[] | undefined };

/** Whether a caller has a permission, by role and, with an API key, by its scopes. */
export function may(caller: Rights | undefined, permission: Permission): boolean {
  return (
    caller !== undefined &&
    allowed[caller.role].has(permission) &&
    (caller.scopes === undefined || caller.scopes.includes(permission))
  );
}

/** Throws NOT_ENOUGH_PERMISSION. For an API key it names all scopes that the key lacks and its account's role has. */
export function requirePermissions(caller: Rights | undefined, ...needed: (Permission | false | undefined)[]): void {
  const missing = needed.filter((permission) => permission && !may(caller, permission)) as Permission[];
  if (missing.length === 0) return;
  throw new ApiError("NOT_ENOUGH_PERMISSION", {
    scopes: missing.filter((permission) => caller && may({ role: caller.role }, permission)),
  });
}

export const scopes = permissions.filter((permission) => permission !== "key:create");

/** The scopes that an API key of the caller can have. A key makes no keys. */
export function scopesOf(caller: Rights): string[] {
  return may(caller, "key:create") ? scopes.filter((scope) => may(caller, scope)) : [];
}

/** The permissions of a caller, as `users-permissions` lists them. */
export function wordsOf(caller: Rights): string[] {
  return [
    ...permissions.filter((permission) => may(caller, permission)),
    ...(caller.role === "owner" && caller.scopes === undefined ? dashboardWords : []),
  ];
}
