import { beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../functions/index.ts";
import { invoke } from "../support/http/invoke.ts";
import { measured, planOf, plansIn } from "../support/store/calls.ts";
import { aWorld, endpointsWithExample, exampleOf, type World } from "../support/world/examples.ts";

// The plan of the example request of every endpoint that plans.test.ts does not have.

// votes-assign and votes-unassign answer no voters, unlike POST and DELETE /votes. posts-search asks for each word, and
// for words that begin with the last one.
const plans = plansIn(`
  auth-log-in: GetItem EMAIL ; GetItem CREDENTIALS | GetItem USER
  auth-log-out: GetItem USER ; TransactWriteItems (Update USER, Update CREDENTIALS)
  auth-setup-status: GetItem SITE
  auth-email-verify: GetItem USER ; TransactWriteItems (Put OUTBOX)
  auth-email-validate: GetItem MAIL_TOKEN | GetItem USER ; TransactWriteItems (Delete MAIL_TOKEN, Update USER)
  auth-password-reset: TransactWriteItems (Put OUTBOX)
  auth-password-validate-token: GetItem MAIL_TOKEN ; GetItem USER
  auth-password-set: GetItem MAIL_TOKEN ; GetItem USER ; Query API_KEYS ; TransactWriteItems (Delete MAIL_TOKEN, Update USER,
    Update CREDENTIALS)
  users-permissions: GetItem USER
  users-dashboard: GetItem USER
  users-profile: GetItem USER
  users-update-profile: GetItem USER ; TransactWriteItems (Update USER, Put RENAMES)
  users-list: GetItem EMAIL | GetItem USER
  users-create: GetItem EMAIL | GetItem USER ; TransactWriteItems (Put USER, Put USERS, Update USER_COUNT, Put
    CREDENTIALS, Put EMAIL, Put USERNAME)
  users-update: GetItem USER | GetItem USER ; Query API_KEYS ; TransactWriteItems (Update USER, Put RENAMES)
  keys-create: GetItem USER ; TransactWriteItems (Put API_KEYS, Update USER, Put OUTBOX)
  keys-list: GetItem USER | GetItem USER | Query API_KEYS | Query KEY_USES
  keys-delete: GetItem API_KEYS | GetItem USER ; TransactWriteItems (Delete API_KEYS, Update USER)
  settings-site: GetItem SITE
  settings-update: GetItem SITE | GetItem USER ; TransactWriteItems (Update SITE)
  settings-labs: GetItem SITE
  settings-update-labs: GetItem SITE | GetItem USER ; TransactWriteItems (Update SITE)
  boards-by-url: GetItem USER | Query CATALOGUE
  boards-browse: GetItem USER | Query CATALOGUE
  boards-search: GetItem USER | Query CATALOGUE
  roadmaps-browse: GetItem USER | Query CATALOGUE
  boards-create: GetItem USER ; TransactWriteItems (Put CATALOGUE, Put BOARD_URL)
  boards-update: GetItem CATALOGUE | GetItem USER ; TransactWriteItems (Update CATALOGUE, Delete BOARD_URL, Put
    BOARD_URL)
  boards-delete: GetItem CATALOGUE | GetItem USER ; TransactWriteItems (Delete CATALOGUE, Delete BOARD_URL, Put
    DELETED)
  boards-check-slug: GetItem BOARD_URL | GetItem USER
  roadmaps-create: GetItem USER | Query CATALOGUE ; TransactWriteItems (Put CATALOGUE, Put CATALOGUE, Put
    ROADMAP_URL)
  roadmaps-update: GetItem USER | Query CATALOGUE ; TransactWriteItems (Update CATALOGUE, Delete ROADMAP_URL, Put
    ROADMAP_URL)
  roadmaps-delete: GetItem USER | Query CATALOGUE ; TransactWriteItems (Put CATALOGUE, Delete CATALOGUE, Delete
    ROADMAP_URL, Put DELETED)
  roadmaps-sort: GetItem USER | Query CATALOGUE ; TransactWriteItems (Put CATALOGUE)
  posts-update: GetItem USER | GetItem USER | Query CATALOGUE | Query POSTS ; TransactWriteItems (Update POSTS)
  posts-by-id: GetItem USER | GetItem USER | Query CATALOGUE | Query POSTS | Query VOTES
  comments-by-id: GetItem USER | Query ACTIVITY
  comments-list: GetItem POSTS | GetItem USER | Query ACTIVITY ; Query NOTES ; Query ACTIVITY ; Query ACTIVITY |
    Query NOTES
  comments-create: GetItem POSTS | GetItem USER ; GetItem ACTIVITY ; TransactWriteItems (Put ACTIVITY, Put ACTIVITY,
    Put USER, Update POSTS)
  comments-update: GetItem ACTIVITY | GetItem USER ; TransactWriteItems (Update ACTIVITY, Put ACTIVITY)
  comments-delete: GetItem ACTIVITY | GetItem USER ; TransactWriteItems (Delete ACTIVITY, Delete ACTIVITY, Delete
    USER, Update POSTS)
  posts-set-status: GetItem USER | GetItem USER | Query CATALOGUE | Query POSTS ;
    TransactWriteItems (Update POSTS, ConditionCheck CATALOGUE, Put LIST, Update COUNTS, Put LIST, Update COUNTS, ConditionCheck CATALOGUE,
    Put LIST, Update COUNTS, ConditionCheck CATALOGUE)
  statuses-list: GetItem CATALOGUE
  statuses-delete: GetItem CATALOGUE | GetItem USER ; Query COUNTS ; TransactWriteItems (Put CATALOGUE)
  statuses-replace: GetItem CATALOGUE | GetItem USER ; TransactWriteItems (Put CATALOGUE)
  votes-assign: GetItem POSTS | GetItem USER | GetItem USER ; TransactWriteItems (Update POSTS, Put USER, Put
    VOTES)
  votes-unassign: GetItem POSTS | GetItem USER | GetItem USER ; TransactWriteItems (Update POSTS, Delete USER,
    Delete VOTES)
  posts-similar: GetItem USER | Query CATALOGUE | Query WORDS | Query WORDS ; BatchGetItem 2 POSTS
  posts-search: GetItem USER | Query CATALOGUE | Query WORDS | Query WORDS | Query WORDS ; BatchGetItem 4 POSTS
  posts-votes: GetItem POSTS | GetItem USER | GetItem USER | Query VOTES
`);

let world: World;

beforeAll(async () => {
  world = await aWorld();
});

describe("The example request", () => {
  const withExample = endpointsWithExample.filter(({ endpoint }) => !endpoint.definition.contract);

  it.each(withExample)("follows its plan: $name", async ({ name, endpoint }) => {
    const { access } = endpoint.definition;
    const { make } = exampleOf(endpoint);
    const request = await make(world);
    const token = access === "public" ? undefined : (request.token ?? world.owner.token);
    const { status, calls } = await measured(() => invoke(endpoint, { ...request, token }));
    expect(status).toBe(endpoint.definition.success);
    expect(planOf(calls)).toBe(plans[name] ?? "a plan in test/cost/example-plans.test.ts");
    expect(calls.filter(({ isStrong }) => !isStrong)).toEqual([]);
  });

  it("lists a plan for every such endpoint, and for no other", () => {
    expect(Object.keys(plans).sort()).toEqual(
      endpoints
        .filter(({ definition }) => !definition.contract)
        .map(({ definition }) => definition.name)
        .sort(),
    );
  });

  it("reads the posts and votes of each account on a page of users in one query", async () => {
    const { body, calls } = await measured(() =>
      invoke("users-list", { token: world.owner.token, query: { first: "3" } }),
    );
    expect(body.results).toHaveLength(3);
    expect(planOf(calls)).toBe("GetItem USER | Query USERS | Query USER_COUNT ; Query USER | Query USER | Query USER");
  });
});
