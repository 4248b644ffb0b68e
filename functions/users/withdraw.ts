import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { HeldId } from "../../lib/http/id-inputs.ts";
import { findAllWaiting, isReported, takeOut } from "../../lib/posts/held.ts";

/** Withdraws a post or comment of the caller that waits for the team: it is deleted, and nobody is told. */
export const handler = defineEndpoint({
  name: "users-withdraw",
  route: "DELETE /users/profile/held/{heldId}",
  permission: "post:destroy:own",
  request: z.object({ params: z.object({ heldId: HeldId }) }),
  success: 204,
  errors: ["HELD_NOT_FOUND"],
  table: { USER: ["update", "delete"], HELD: ["get", "delete"] },
  prefetch: ({ params: { heldId } }) => findAllWaiting([heldId]),
  audit: "own affair",
  trace: ({ params: { heldId }, caller }) => ({ item: heldId, account: caller.userId }),
  handle: async ({ caller, prefetched: [waiting], fail }) => {
    // What was reported is there: its author deletes it.
    const isOwn = waiting && !isReported(waiting) && waiting.userId === caller.userId;
    if (!isOwn || !(await takeOut(waiting))) throw fail("HELD_NOT_FOUND");
  },
});
