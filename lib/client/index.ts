import createFetchClient, { type Client, type ClientOptions } from "openapi-fetch";
import type { paths } from "./schema.ts";

export type { components, operations, paths } from "./schema.ts";

/** Where the API is, and who calls: a token, or a function that gives the token of the moment. Options of `fetch` may follow. */
export type Options = ClientOptions & { baseUrl: string; token?: string | (() => string | undefined) };

/**
 * A client that knows every path, body, answer and error code of the API. Each call returns `{ data, error, response }` and throws only
 * if no answer comes: `await client.POST("/votes", { body: { postId } })`.
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
