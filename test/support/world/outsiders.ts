import type { Endpoint } from "../../../lib/endpoint.ts";
import { requiresToken } from "../../../lib/http/definition.ts";
import type { Request } from "../http/invoke.ts";
import { endpointsWithExample, exampleOf, type World } from "./examples.ts";

// Those who may not see what is hidden, and the requests by which they might find it.

const outsiders = ["none", "member", "suspended"] as const;
type Outsider = (typeof outsiders)[number];

/** Whether a call is refused for its caller alone, before anything is read: permissions.test.ts. */
function isRefused({ definition }: Endpoint, caller: Outsider): boolean {
  return caller === "none" ? requiresToken(definition) : caller === "suspended" && definition.permission !== undefined;
}

/** Each endpoint with each outsider who may call it. */
export const outsidersCells = endpointsWithExample.flatMap((row) =>
  outsiders.filter((caller) => !isRefused(row.endpoint, caller)).map((caller) => ({ ...row, caller })),
);

/** The example request of an endpoint, by an outsider. */
export async function requestBy(world: World, endpoint: Endpoint, caller: Outsider): Promise<Request> {
  return { ...(caller !== "none" && { token: world[caller].token }), ...(await exampleOf(endpoint).make(world)) };
}

/** A request with some values in place of its own, wherever it has a field of that name. */
export function withValues(request: Request, values: Record<string, unknown>): Request {
  const replaced = (part: unknown): unknown => {
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, own]) => [name, values[name] ?? replaced(own)]));
  };
  const { body, params, query, ...rest } = request;
  return {
    ...rest,
    ...(body === undefined ? {} : { body: replaced(body) }),
    ...(params && { params: replaced(params) as Record<string, string> }),
    ...(query && { query: replaced(query) as Record<string, string> }),
  };
}
