import type { Role } from "../accounts/users.ts";

// The words are those of LogChimp's web front end, where it has one for the same thing. Without `:own` they are about everybody's.

// A member has no `post:update` and `post:destroy`: a front end would offer both at every post.
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
  "roadmap:search",
] as const;

const moderator = [
  ...member,
  "roadmap:read",
  "board:read",
  "post:moderate",
  "post:update",
  "post:destroy",
  "comment:create_internal",
  "comment:view_internal",
  "comment:update:any",
  "comment:delete:any",
  "dashboard:read",
  "key:create",
] as const;

/** What an endpoint may ask of its caller's role, in the order in which they are told: docs/contract.md#roles. */
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
] as const;
export type Permission = (typeof permissions)[number];

/** Words that no endpoint asks: LogChimp's front end opens parts of its dashboard to those who are told them. */
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

/** What a caller may do is decided by the role of the account and, in a call with an API key, by the scopes of the key. */
export type Rights = { role: Role; scopes?: readonly string[] | undefined };

/** Whether a caller has a permission: by the role and, with an API key, by the key too. An anonymous caller has none. */
export function may(caller: Rights | undefined, permission: Permission): boolean {
  return (
    caller !== undefined &&
    allowed[caller.role].has(permission) &&
    (caller.scopes === undefined || caller.scopes.includes(permission))
  );
}

/** What an API key may be made for: all permissions but that to make keys. */
export const scopes = permissions.filter((permission) => permission !== "key:create");

/** What a client is told of a caller: the permissions in the order of the table, and to the owner the words of the dashboard. */
export function wordsOf(caller: Rights): string[] {
  return [
    ...permissions.filter((permission) => may(caller, permission)),
    ...(caller.role === "owner" && caller.scopes === undefined ? dashboardWords : []),
  ];
}
