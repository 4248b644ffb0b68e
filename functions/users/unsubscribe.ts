import * as z from "zod/mini";
import * as preferences from "../../lib/accounts/preferences.ts";
import * as unsubscribeTokens from "../../lib/accounts/unsubscribe-tokens.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { optional } from "../../lib/http/inputs.ts";
import { Success } from "../../lib/http/resources/answers.ts";
import { Text } from "../../lib/http/text-inputs.ts";
import { pageOf } from "../../lib/notices/unsubscribe-state.ts";
import * as subscriptions from "../../lib/posts/subscriptions.ts";

/**
 * Ends the notifications that the token of a mail names. These are the notifications of a post, or all. Mail programs
 * can call it (RFC 8058). Every token gets the same answer; a browser gets a page, which says what has ended.
 */
export const handler = defineEndpoint({
  name: "users-unsubscribe",
  route: "POST /unsubscribe",
  access: "public",
  endsAccess: true,
  request: z.object({ query: z.object({ token: optional(Text) }) }),
  response: z.object({ unsubscribe: Success }),
  table: {
    UNSUBSCRIBE: ["get"],
    USER: ["get", "put", "update"],
    SUBSCRIPTIONS: ["get", "put"],
    POSTS: ["get", "check"],
    CATALOGUE: ["get"],
    SITE: ["get", "delete"],
  },
  trace: () => ({}),
  handle: async ({ query: { token = "" }, addTrace }) => {
    const found = await unsubscribeTokens.read(token);
    if (found) {
      const { userId, scope } = found;
      addTrace({ account: userId });
      if (scope === "all")
        await preferences.choose(userId, { mail: preferences.NO_MAILS, ...preferences.NO_TEAM_MAILS });
      else if (scope === "new-posts") await preferences.choose(userId, { newPosts: false });
      else if (scope === "digest") await preferences.choose(userId, { digest: false });
      else await subscriptions.choose(userId, scope, false);
    }
    return { unsubscribe: { success: true } };
  },
  page: ({ query: { token = "" } }, accepted) => pageOf(token, accepted),
});
