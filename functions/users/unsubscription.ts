import * as z from "zod/mini";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { optional } from "../../lib/http/inputs.ts";
import { Text } from "../../lib/http/text-inputs.ts";
import { pageOf, READS_UNSUBSCRIBE_STATE, unsubscribeStateOf } from "../../lib/notices/unsubscribe-state.ts";

/**
 * Tells which mails the link of a mail ends: those about a post, about new posts, the digest, or all (`scope`), and
 * whether they have ended. The scope is null if the token is not complete. A browser gets a page with a button. It
 * changes nothing, because programs that check mails follow their links.
 */
export const handler = defineEndpoint({
  name: "users-unsubscription",
  route: "GET /unsubscribe",
  access: "public",
  request: z.object({ query: z.object({ token: optional(Text) }) }),
  response: z.object({
    unsubscribe: z.object({
      scope: z.nullable(z.enum(["post", "all", "new-posts", "digest"])),
      title: z.nullable(z.string()),
      isEnded: z.boolean(),
    }),
  }),
  table: { ...READS_UNSUBSCRIBE_STATE, SITE: ["get"] },
  handle: async ({ query: { token = "" } }) => {
    const { scope = null, title = null, isEnded = false } = (await unsubscribeStateOf(token)) ?? {};
    return { unsubscribe: { scope, title, isEnded } };
  },
  page: ({ query: { token = "" } }, accepted) => pageOf(token, accepted),
});
