import * as z from "zod/mini";
import { findAllActive } from "../../lib/accounts/active-users.ts";
import * as people from "../../lib/accounts/people.ts";
import { Group } from "../../lib/accounts/roles.ts";
import * as users from "../../lib/accounts/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Email } from "../../lib/http/account-inputs.ts";
import { Id } from "../../lib/http/id-inputs.ts";
import { optional } from "../../lib/http/inputs.ts";
import { Order, SortByTime } from "../../lib/http/list-inputs.ts";
import { cursorOf, cursorQuery, OrderedPlace, pagingOf, sameOrder } from "../../lib/http/pages.ts";
import { ListedUser, listedUserView } from "../../lib/http/resources/accounts.ts";
import { CursorPaging } from "../../lib/http/resources/answers.ts";
import { SearchedWords } from "../../lib/http/text-inputs.ts";

const query = z
  .object({
    created: Order,
    sort: optional(SortByTime),
    userId: optional(Id),
    email: optional(Email),
    q: optional(SearchedWords(100)),
    group: optional(Group),
    ...cursorQuery(OrderedPlace),
  })
  .check(sameOrder);

/** How many accounts of a group are read, and counted, for a page. */
const MOST_COUNTED = 500;

type Query = z.output<typeof query>;
type Page = { ids: string[]; total: number };

/** The page after one of the accounts that were found, or from its place on if it is not found any more. */
function pageAfter(after: z.output<typeof OrderedPlace> | undefined, all: string[]): Page {
  const [position, userId] = after ?? [0, ""];
  const at = all.indexOf(userId);
  return { ids: all.slice(at === -1 ? Math.max(0, position - 1) : at + 1), total: all.length };
}

/** The accounts that are asked for by id, address or words; undefined if none of these is named. */
async function foundBy({ userId, email, q }: Query): Promise<string[] | undefined> {
  if (userId) return [userId];
  if (email) {
    const userId = await users.idOf(email);
    return userId ? [userId] : [];
  }
  return q ? people.idsOf(q) : undefined;
}

/**
 * Lists all accounts, newest first by default. `posts` and `votes` are the numbers of the account's own posts and
 * votes; a vote on a deleted post counts until background work removes it. `roles` is the role in the form that
 * LogChimp uses; it is empty for a member. With `userId` the list has that account alone, or none. With `q` the list
 * has the accounts whose address, name or last name begins so, without regard to case and accents: the first 50 by the
 * alphabet. With `group` the list has the owner and the moderators, or the suspended accounts; `total_count` then
 * counts at most 500 after the page before.
 */
export const handler = defineEndpoint({
  name: "users-list",
  route: "GET /users",
  permission: "user:write",
  request: z.object({ query }),
  response: z.extend(CursorPaging, { results: z.array(ListedUser), users: z.array(ListedUser) }),
  errors: ["EMAIL_INVALID"],
  table: { USER: ["query"], USERS: ["query"], USER_COUNT: ["query"], EMAIL: ["get"], PEOPLE: ["query", "get"] },
  prefetch: async ({ query }): Promise<Page> => {
    const { created, sort = created, group, first, after } = query;
    const found = await foundBy(query);
    if (found) return pageAfter(after, group ? await people.thoseIn(group, found) : found);
    if (group) {
      const ids = await users.idsAfter(after?.[1], sort, MOST_COUNTED, group);
      return { ids, total: (after?.[0] ?? 0) + ids.length };
    }
    // One more than the page has shows whether there is a next page.
    const [ids, total] = await Promise.all([users.idsAfter(after?.[1], sort, first + 1), users.count()]);
    return { ids, total };
  },
  handle: async ({ query: { created, sort = created, first, after }, prefetched: { ids, total } }) => {
    const results = (await findAllActive(ids.slice(0, first))).map(listedUserView);
    const place = { before: after?.[0] ?? 0, first, total, hasNext: ids.length > first };
    const paging = pagingOf(results, place, ({ userId }, position) => cursorOf([position, userId, sort]));
    return { ...paging, results, users: results };
  },
});
