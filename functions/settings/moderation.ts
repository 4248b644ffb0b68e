import * as z from "zod/mini";
import * as site from "../../lib/accounts/site.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { tagOf } from "../../lib/http/preconditions.ts";
import { ModerationPolicy, policyView } from "../../lib/http/resources/held.ts";

/** Returns which posts and comments wait for the team before others see them, and which mail domains are blocked. */
export const handler = defineEndpoint({
  name: "settings-moderation",
  route: "GET /settings/moderation",
  permission: "post:moderate",
  response: z.object({ moderation: ModerationPolicy }),
  table: { SITE: ["get"] },
  etagOf: ({ moderation }) => tagOf(moderation),
  prefetch: () => site.find(),
  handle: async ({ prefetched }) => ({ moderation: policyView(prefetched) }),
});
