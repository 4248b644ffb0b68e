import createFetchClient, { type Client, type ClientOptions } from "openapi-fetch";
import type { components, paths } from "./schema.ts";

export type { components, operations, paths } from "./schema.ts";

type EventType = components["schemas"]["Webhook"]["events"][number];

// Types are made by a command, and a clean clone has none: nothing that runs may need their file. The compiler holds
// this list against them.
const isEventType = {
  "post.created": true,
  "post.updated": true,
  "post.status_changed": true,
  "post.deleted": true,
  "post.approved": true,
  "post.merged": true,
  "post.unmerged": true,
  "comment.created": true,
  "comment.updated": true,
  "comment.deleted": true,
  "user.created": true,
  "user.deleted": true,
  "webhook.disabled": true,
} satisfies Record<EventType, true>;

/** The types of events that a webhook can get, in their documented order. */
export const eventTypes = Object.keys(isEventType) as EventType[];

/**
 * The base URL of the API and the caller's token, or a function that returns the current token. All options of `fetch`
 * are possible.
 */
export type Options = ClientOptions & { baseUrl: string; token?: string | (() => string | undefined) };

/**
 * A client with the types of every path, body, answer and error code. Each call returns `{ data, error, response }`,
 * and throws only without an answer: `await client.POST("/votes", { body: { postId } })`.
 */
export function createClient({ token, ...options }: Options): Client<paths> {
  const client = createFetchClient<paths>(options);
  client.use({
    onRequest: ({ request }) => {
      const current = typeof token === "function" ? token() : token;
      if (current !== undefined) request.headers.set("authorization", `Bearer ${current}`);
      return request;
    },
  });
  return client;
}
