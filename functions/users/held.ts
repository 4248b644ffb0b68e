import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { around } from "../../lib/http/held.ts";
import { OwnHeld, ownHeldView } from "../../lib/http/resources/held.ts";
import { heldOf, MOST_HELD } from "../../lib/posts/held.ts";
import { lastOfChain } from "../../lib/posts/merged-posts.ts";

/** Lists the posts and comments of the caller that wait for the team, the newest first: twenty at most. */
export const handler = defineEndpoint({
  name: "users-held",
  route: "GET /users/profile/held",
  response: z.object({ results: z.array(OwnHeld) }),
  table: { USER: ["query"], HELD: ["get"], POSTS: ["get"], MERGED: ["get"], CATALOGUE: ["get", "query"] },
  // A long comment takes 4 R. It lies at a post of 9, which may continue in another one of 9.
  expectedReads: () => 25 * MOST_HELD,
  handle: async ({ caller }) => {
    const found = await heldOf(caller.userId);
    const shown = await around(found, caller, lastOfChain);
    return { results: found.map((held) => ownHeldView(held, shown)) };
  },
});
