import * as z from "zod";
import * as users from "../../lib/data/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { Order, optional, pageSize, QueryNumber, Uuid } from "../../lib/http/inputs.ts";
import { After, cursorOf, Position, pagingOf } from "../../lib/http/pages.ts";
import { CursorPaging, ManagedUser } from "../../lib/http/schemas.ts";
import { managedUserView } from "../../lib/http/views.ts";

const query = z.object({
  created: Order,
  first: pageSize(QueryNumber, 20, 100),
  // A place in the list: how many accounts come up to it, and the last of them.
  after: optional(After(z.tuple([Position, Uuid]))),
});

/** Beyond the contract: the owner's list of all accounts, newest first unless asked otherwise. */
export const handler = defineEndpoint(
  {
    name: "users-list",
    method: "GET",
    path: "/users",
    access: "bearer",
    permission: "user:write",
    request: z.object({ query }),
    success: 200,
    response: CursorPaging.extend({ results: z.array(ManagedUser), users: z.array(ManagedUser) }),
    errors: [],
    table: { USER: ["batchGet"], USERS: ["query"], USER_COUNT: ["query"] },
    read: async ({ query: { created, first, after } }) => {
      // One more than is shown: it tells whether there is a next page.
      const [ids, total] = await Promise.all([users.idsAfter(after?.[1], created, first + 1), users.count()]);
      return { ids, total };
    },
  },
  async ({ query: { first, after }, read: { ids, total } }) => {
    const results = (await users.findAll(ids.slice(0, first))).map(managedUserView);
    const where = { before: after?.[0] ?? 0, first, total, hasNext: ids.length > first };
    const paging = pagingOf(results, where, ({ userId }, position) => cursorOf([position, userId]));
    return { ...paging, results, users: results };
  },
);
