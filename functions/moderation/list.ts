import * as z from "zod/mini";
import * as users from "../../lib/accounts/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { around } from "../../lib/http/held.ts";
import { optional } from "../../lib/http/inputs.ts";
import { pageSize, QueryNumber } from "../../lib/http/list-inputs.ts";
import { After, CountedPlace, cursorOf, pagingOf } from "../../lib/http/pages.ts";
import { PageInfo } from "../../lib/http/resources/answers.ts";
import { Held, heldView } from "../../lib/http/resources/held.ts";
import { firstHeld } from "../../lib/posts/held.ts";

/** The most that a page has: texts have up to 20 KB, and a decision takes as many. */
const MOST = 20;

const query = z.object({ first: pageSize(QueryNumber, MOST, MOST), after: optional(After(CountedPlace)) });

/** Lists the posts and comments that wait for the team, the oldest first. */
export const handler = defineEndpoint({
  name: "moderation-list",
  route: "GET /moderation",
  permission: "post:moderate",
  request: z.object({ query }),
  response: z.object({ results: z.array(Held), page_info: PageInfo }),
  table: { USER: ["get"], HELD: ["query"], POSTS: ["get"], CATALOGUE: ["get", "query"] },
  // A long text takes 5 R, its author one; a comment lies at a post of 6.
  expectedReads: ({ query: { first } }) => 7 * first,
  handle: async ({ query: { first, after }, caller }) => {
    const [before, lastId] = after ?? [0, undefined];
    const { found, more } = await firstHeld(first, lastId);
    const [authors, shown] = await Promise.all([
      users.findAll(found.map(({ userId }) => userId)),
      around(found, caller),
    ]);
    const results = found.map((held) => heldView(held, shown, authors));
    // Nobody counts them all.
    const place = { before, first, total: 0, hasNext: more };
    const { page_info } = pagingOf(results, place, ({ id }, position) => cursorOf([position, id]));
    return { results, page_info };
  },
});
