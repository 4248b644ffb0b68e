import * as z from "zod/mini";
import { AllMails, allMailsOf } from "../../lib/accounts/preferences.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";

/** Returns which notifications the caller gets by mail; `newPosts` and `digest` are for moderators and the owner. */
export const handler = defineEndpoint({
  name: "users-notifications",
  route: "GET /users/notifications",
  response: z.object({ mail: AllMails }),
  handle: async ({ caller }) => ({ mail: allMailsOf(caller) }),
});
