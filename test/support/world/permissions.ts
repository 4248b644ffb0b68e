// The permissions of each role, typed in by hand to test lib/auth/permissions.ts.

const ofMembers = `profile:update post:create post:update:own post:destroy:own vote:create vote:destroy comment:create
  comment:update:own comment:delete:own report:create roadmap:search`.split(/\s+/);

const ofModerators = `roadmap:read board:read post:moderate post:update post:destroy tag:write
  comment:create_internal comment:view_internal comment:update:any comment:delete:any dashboard:read stats:read key:create`.split(
  /\s+/,
);

const ofOwners = `board:create board:update board:destroy roadmap:create roadmap:update roadmap:destroy post:assign
  vote:assign vote:unassign user:write settings:update audit:read webhook:read webhook:write`.split(/\s+/);

export const permissionsOf = {
  suspended: [],
  member: ofMembers,
  moderator: [...ofMembers, ...ofModerators],
  owner: [...ofMembers, ...ofModerators, ...ofOwners],
};
