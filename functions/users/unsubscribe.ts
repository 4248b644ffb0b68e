import * as z from "zod/mini";
import * as preferences from "../../lib/accounts/preferences.ts";
import * as unsubscribeTokens from "../../lib/accounts/unsubscribe-tokens.ts";
import { defineEndpoint, type Endpoint } from "../../lib/endpoint.ts";
import { optional, Text } from "../../lib/http/inputs.ts";
import { Success } from "../../lib/http/resources/answers.ts";
import { unsubscribePage } from "../../lib/mail/unsubscribe-page.ts";
import * as subscriptions from "../../lib/posts/subscriptions.ts";

const endpoint = defineEndpoint({
  name: "users-unsubscribe",
  route: "POST /unsubscribe",
  access: "public",
  endsAccess: true,
  request: z.object({ query: z.object({ token: optional(Text) }) }),
  response: z.object({ unsubscribe: Success }),
  table: { UNSUBSCRIBE: ["get"], USER: ["update"], SUBSCRIPTIONS: ["put"], POSTS: ["check"] },
  trace: () => ({}),
  handle: async ({ query: { token = "" }, addTrace }) => {
    const found = await unsubscribeTokens.read(token);
    if (found) {
      const { userId, scope } = found;
      addTrace({ account: userId });
      if (scope === "all") await preferences.choose(userId, { status: false, comments: false, replies: false });
      else await subscriptions.choose(userId, scope, false);
    }
    return { unsubscribe: { success: true } };
  },
});

/**
 * Ends the notifications that the token of a mail names. These are the notifications of a post, or all. Mail programs
 * can call it (RFC 8058). Every token gets the same answer; a browser gets it as a page.
 */
export const handler: Endpoint = Object.assign(
  async (...[event, context]: Parameters<Endpoint>) => {
    const reply = await endpoint(event, context);
    return reply.statusCode === 200 && event.headers.accept?.includes("text/html") ? unsubscribePage("done") : reply;
  },
  { definition: endpoint.definition },
);
