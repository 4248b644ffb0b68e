import * as z from "zod/mini";
import * as users from "../../lib/accounts/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { around, aroundReports } from "../../lib/http/held.ts";
import { optional } from "../../lib/http/inputs.ts";
import { pageSize, QueryNumber } from "../../lib/http/list-inputs.ts";
import { After, CountedPlace, cursorOf, pagingOf } from "../../lib/http/pages.ts";
import { PageInfo } from "../../lib/http/resources/answers.ts";
import { Held, heldView, reportedView } from "../../lib/http/resources/held.ts";
import { firstWaiting, isReported, type Waiting } from "../../lib/posts/held.ts";
import { lastOfChain } from "../../lib/posts/merged-posts.ts";

/** The most that a page has: texts have up to 20 KB, and a decision takes as many. */
const MOST = 20;

const query = z.object({ first: pageSize(QueryNumber, MOST, MOST), after: optional(After(CountedPlace)) });

/** The accounts that a page names: who wrote what is held, and who reported what is there. */
function accountsIn(found: Waiting[]): string[] {
  const named = found.flatMap((each) => (isReported(each) ? each.first.map(({ by }) => by) : [each.userId]));
  return [...new Set(named)];
}

/**
 * Lists the posts and comments that wait for the team, the oldest first: the held ones, and the reported ones with who
 * reported them and why.
 */
export const handler = defineEndpoint({
  name: "moderation-list",
  route: "GET /moderation",
  permission: "post:moderate",
  request: z.object({ query }),
  response: z.object({ results: z.array(Held), page_info: PageInfo }),
  table: {
    USER: ["get"],
    HELD: ["query"],
    POSTS: ["get"],
    MERGED: ["get"],
    ACTIVITY: ["get"],
    NOTES: ["get"],
    CATALOGUE: ["get", "query"],
  },
  // Of the longest, reports take 2 R, who made them 5, a post 10 with its votes; a comment also 4. Few are on merged
  // posts, which take 11 more for each merge: what is read beyond the expected is counted afterwards.
  expectedReads: ({ query: { first } }) => 21 * first,
  handle: async ({ query: { first, after }, caller }) => {
    const [before, lastId] = after ?? [0, undefined];
    const { found, more } = await firstWaiting(first, lastId);
    const held = found.filter((each) => !isReported(each));
    const [accounts, shown, reported] = await Promise.all([
      users.findAll(accountsIn(found)),
      around(held, caller, lastOfChain),
      aroundReports(found.filter(isReported)),
    ]);
    const results = found.map((each) =>
      isReported(each) ? reportedView(each, shown, reported, accounts) : heldView(each, shown, accounts),
    );
    // Nobody counts them all.
    const place = { before, first, total: 0, hasNext: more };
    const { page_info } = pagingOf(results, place, ({ id }, position) => cursorOf([position, id]));
    return { results, page_info };
  },
});
