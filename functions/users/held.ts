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
  // A long text takes 5 R, and a comment lies at a post of 6. Few lie at merged posts, which take more: what is read
  // beyond the expected is counted afterwards. Each visit of "My posts" calls this, and a network shares its units.
  expectedReads: () => 6 * MOST_HELD,
  handle: async ({ caller }) => {
    const found = await heldOf(caller.userId);
    const shown = await around(found, caller, lastOfChain);
    return { results: found.map((held) => ownHeldView(held, shown)) };
  },
});
