import { beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../functions/index.ts";
import { invoke } from "../support/http/invoke.ts";
import { measured, planOf, plansIn } from "../support/store/calls.ts";
import { aWorld, endpointsWithExample, exampleOf, type World } from "../support/world/examples.ts";

// The plan of the example request of every endpoint that plans.test.ts does not have.

// votes-assign and votes-unassign answer no voters, unlike POST and DELETE /votes. posts-search asks for each word, and
// for words that begin with the last one.
const plans = plansIn(`
  auth-log-in: GetItem EMAIL ; BatchGetItem 2 USER CREDENTIALS
  auth-log-out: GetItem USER ; TransactWriteItems (Update USER, Update CREDENTIALS)
  auth-setup-status: GetItem SITE
  auth-email-verify: GetItem USER ; TransactWriteItems (Put OUTBOX)
  auth-email-validate: BatchGetItem 2 USER MAIL_TOKEN ; TransactWriteItems (Delete MAIL_TOKEN, Update USER)
  auth-password-reset: TransactWriteItems (Put OUTBOX)
  auth-password-validate-token: GetItem MAIL_TOKEN ; GetItem USER
  auth-password-set: GetItem MAIL_TOKEN ; GetItem USER | Query API_KEYS ; TransactWriteItems (Delete MAIL_TOKEN,
    Update USER, Update CREDENTIALS)
  users-permissions: GetItem USER
  users-dashboard: GetItem USER
  users-profile: GetItem USER
  users-update-profile: GetItem USER ; TransactWriteItems (Update USER, Put RENAMES)
  users-notifications: GetItem USER
  users-update-notifications: GetItem USER ; TransactWriteItems (Update USER)
  users-unsubscribe: GetItem UNSUBSCRIBE ; TransactWriteItems (Update USER)
  users-list: BatchGetItem 2 USER EMAIL
  users-create: BatchGetItem 2 USER EMAIL ; TransactWriteItems (Put USER, Put USERS, Update USER_COUNT, Put
    CREDENTIALS, Put EMAIL, Put USERNAME, Put EVENTS, Put NEWS)
  users-update: BatchGetItem 2 USER | Query API_KEYS ; TransactWriteItems (Update USER, Put RENAMES)
  keys-create: GetItem USER ; TransactWriteItems (Put API_KEYS, Update USER, Put OUTBOX)
  webhooks-list: GetItem USER | Query WEBHOOKS
  webhooks-create: GetItem USER ; TransactWriteItems (Put WEBHOOKS, Put WEBHOOK_SECRETS, Update WEBHOOKS)
  webhooks-update: BatchGetItem 2 USER WEBHOOKS ; TransactWriteItems (Update WEBHOOKS)
  webhooks-delete: BatchGetItem 2 USER WEBHOOKS ; TransactWriteItems (Delete WEBHOOKS, Delete WEBHOOK_SECRETS, Update WEBHOOKS)
  webhooks-rotate: BatchGetItem 2 USER WEBHOOKS ; TransactWriteItems (Update WEBHOOK_SECRETS)
  webhooks-deliveries: BatchGetItem 2 USER WEBHOOKS | Query DELIVERIES | Query DELIVERIES
  webhooks-replay: BatchGetItem 2 USER WEBHOOKS | Query EVENTS ; TransactWriteItems (Put DELIVERIES)
  webhooks-test: BatchGetItem 2 USER WEBHOOKS
  keys-list: BatchGetItem 2 USER | Query API_KEYS | Query KEY_USES
  keys-delete: BatchGetItem 2 USER API_KEYS ; TransactWriteItems (Delete API_KEYS, Update USER)
  events-list: BatchGetItem 2 USER CATALOGUE | Query EVENTS
  settings-site: GetItem SITE
  settings-update: BatchGetItem 2 USER SITE ; TransactWriteItems (Update SITE)
  settings-labs: GetItem SITE
  settings-update-labs: BatchGetItem 2 USER SITE ; TransactWriteItems (Update SITE)
  boards-by-url: GetItem USER | Query CATALOGUE
  boards-browse: GetItem USER | Query CATALOGUE
  boards-search: GetItem USER | Query CATALOGUE
  roadmaps-browse: GetItem USER | Query CATALOGUE
  boards-create: GetItem USER ; TransactWriteItems (Put CATALOGUE, Put BOARD_URL)
  boards-update: BatchGetItem 2 USER CATALOGUE ; TransactWriteItems (Update CATALOGUE, Delete BOARD_URL, Put
    BOARD_URL)
  boards-delete: BatchGetItem 2 USER CATALOGUE ; TransactWriteItems (Delete CATALOGUE, Delete BOARD_URL, Put DELETED)
  boards-check-slug: BatchGetItem 2 USER BOARD_URL
  roadmaps-create: GetItem USER | Query CATALOGUE ; TransactWriteItems (Put CATALOGUE, Put CATALOGUE, Put ROADMAP_URL)
  roadmaps-update: GetItem USER | Query CATALOGUE ; TransactWriteItems (Update CATALOGUE, Delete ROADMAP_URL, Put
    ROADMAP_URL)
  roadmaps-delete: GetItem USER | Query CATALOGUE ; TransactWriteItems (Put CATALOGUE, Delete CATALOGUE, Delete
    ROADMAP_URL, Put DELETED)
  roadmaps-sort: GetItem USER | Query CATALOGUE ; TransactWriteItems (Put CATALOGUE)
  posts-update: BatchGetItem 4 USER POSTS | Query CATALOGUE ; TransactWriteItems (Update POSTS, Put EVENTS, Put NEWS)
  posts-by-id: BatchGetItem 4 USER POSTS | Query CATALOGUE | Query VOTES
  comments-by-id: GetItem USER | Query ACTIVITY
  comments-list: BatchGetItem 3 USER POSTS CATALOGUE | Query ACTIVITY | Query ACTIVITY ; Query NOTES ; Query ACTIVITY | Query
    NOTES
  comments-create: BatchGetItem 2 USER POSTS ; GetItem ACTIVITY ; TransactWriteItems (Put ACTIVITY, Put ACTIVITY, Put
    USER, Update POSTS, Put EVENTS, Put NEWS)
  comments-update: BatchGetItem 2 USER ACTIVITY ; TransactWriteItems (Update ACTIVITY, Put ACTIVITY, Put EVENTS, Put
    NEWS)
  comments-delete: BatchGetItem 2 USER ACTIVITY ; TransactWriteItems (Delete ACTIVITY, Delete ACTIVITY, Delete USER,
    Update POSTS, Put EVENTS, Put NEWS)
  posts-set-status: BatchGetItem 4 USER POSTS | Query CATALOGUE ; TransactWriteItems (Update POSTS, ConditionCheck
    CATALOGUE, Put LIST, Update COUNTS, Put LIST, Update COUNTS, ConditionCheck CATALOGUE, Put LIST, Update COUNTS,
    ConditionCheck CATALOGUE, Put EVENTS, Put NEWS, Put ACTIVITY, Update POSTS)
  statuses-list: GetItem CATALOGUE
  statuses-delete: BatchGetItem 2 USER CATALOGUE ; Query COUNTS ; TransactWriteItems (Put CATALOGUE)
  statuses-replace: BatchGetItem 2 USER CATALOGUE ; TransactWriteItems (Put CATALOGUE)
  votes-assign: BatchGetItem 3 USER POSTS ; TransactWriteItems (Update POSTS, Put USER, Put VOTES)
  votes-unassign: BatchGetItem 3 USER POSTS ; TransactWriteItems (Update POSTS, Delete USER, Delete VOTES)
  posts-similar: GetItem USER | Query CATALOGUE | Query WORDS | Query WORDS ; BatchGetItem 2 POSTS
  posts-search: GetItem USER | Query CATALOGUE | Query WORDS | Query WORDS | Query WORDS ; BatchGetItem 4 POSTS
  posts-subscription: BatchGetItem 4 USER POSTS SUBSCRIPTIONS
  posts-follow: BatchGetItem 2 USER POSTS ; TransactWriteItems (Put SUBSCRIPTIONS, ConditionCheck POSTS)
  posts-votes: BatchGetItem 3 USER POSTS | Query VOTES
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
    const ofWords = calls.filter(({ touches }) => touches.some(({ family }) => family === "WORDS"));
    expect(calls.filter(({ isStrong }) => !isStrong)).toEqual(ofWords);
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
