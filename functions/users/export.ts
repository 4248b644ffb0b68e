import * as z from "zod/mini";
import * as apiKeys from "../../lib/accounts/api-keys.ts";
import * as identities from "../../lib/accounts/identities.ts";
import { may } from "../../lib/auth/permissions.ts";
import { readMade, type TrailPage, trailOf } from "../../lib/cleanup/trail.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { optional } from "../../lib/http/inputs.ts";
import { After, cursorOf } from "../../lib/http/pages.ts";
import { exportedAccountView, exportedView, PersonalData } from "../../lib/http/resources/personal-data.ts";
import { findAll } from "../../lib/posts/held.ts";
import { reportsBy } from "../../lib/posts/reports.ts";
import { choicesOf } from "../../lib/posts/subscriptions.ts";

const PAGE = 25;

const NOTHING: TrailPage = {
  postIds: [],
  comments: [],
  votes: [],
  follows: [],
  held: [],
  reports: [],
  next: undefined,
};

const Place = z.tuple([z.string().check(z.regex(/^(COMMENT|FOLLOW|HELD|POST|REPORT|VOTE)#[0-9a-f-]{36}$|^USER$/))]);

/**
 * Returns what the service holds of the caller, page by page: the account with its linked sign-ins and API keys, on the
 * first page only; posts, comments, also those that wait for the team, votes, and posts that the caller chose to
 * follow or to leave; what the caller reported; notes for the team.
 * It names no other person. Events and logs are not in it.
 */
export const handler = defineEndpoint({
  name: "users-export",
  route: "GET /users/profile/export",
  refusesKeys: true,
  request: z.object({ query: z.object({ after: optional(After(Place)) }) }),
  response: PersonalData,
  table: {
    USER: ["get", "query"],
    POSTS: ["get"],
    MERGED: ["get"],
    ACTIVITY: ["get"],
    NOTES: ["get"],
    SUBSCRIPTIONS: ["get"],
    HELD: ["get"],
    IDENTITY: ["get"],
    API_KEYS: ["query"],
    KEY_USES: ["query"],
  },
  // Texts have up to 20 KB.
  expectedReads: () => 3 * PAGE,
  handle: async ({ query: { after }, caller }) => {
    const { value: page = NOTHING } = await trailOf(caller.userId, { after: after?.[0], pageSize: PAGE }).next();
    const seesNotes = may(caller, "comment:view_internal");
    const [account, made, choices, held, reports] = await Promise.all([
      after ? null : accountOf(caller),
      readMade({ ...page, votes: [] }, { seesNotes }),
      choicesOf(caller.userId, page.follows),
      findAll(page.held),
      reportsBy(caller.userId, page.reports),
    ]);
    const posts = [...made.posts, ...made.merged.map(({ post }) => post)];
    const end = page.next === undefined ? null : cursorOf([page.next]);
    return {
      account,
      ...exportedView({ ...made, posts, votes: page.votes, choices, held, reports }, seesNotes),
      page_info: { has_next_page: end !== null, end_cursor: end },
    };
  },
});

async function accountOf(caller: Parameters<typeof exportedAccountView>[0]) {
  const [linked, keys] = await Promise.all([
    Promise.all((caller.identities ?? []).map(identities.find)),
    apiKeys.allWithUse(caller.userId),
  ]);
  return exportedAccountView(
    caller,
    linked.filter((identity) => identity !== undefined),
    keys,
  );
}
