import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import type { Endpoint } from "./endpoint.ts";
import type { Answer } from "./http/answers.ts";
import { routeKeysOf } from "./http/routes.ts";

/** Endpoints that share a function: docs/architecture.md#groups. */
export type Group = { name: string; endpoints: readonly Endpoint[] };

/** The function of a group: it passes each event to the endpoint of its route. */
export function defineGroup(name: string, endpoints: readonly Endpoint[]) {
  const byRoute = new Map(
    endpoints.flatMap((endpoint) => routeKeysOf(endpoint.definition).map((routeKey) => [routeKey, endpoint] as const)),
  );
  return async (event: APIGatewayProxyEventV2, context: Context): Promise<Answer> => {
    const endpoint = byRoute.get(event.routeKey);
    if (!endpoint) throw new Error(`${name} has no endpoint for the route ${event.routeKey}`);
    return endpoint(event, context);
  };
}
