import type { Definition } from "./definition.ts";

type Routed = Pick<Definition, "method" | "path" | "page">;

export const BASE_PATH = "/api/v1";

/** The key of an endpoint's route, as the gateway writes it into each event: `POST /api/v1/votes`. */
export function routeKeyOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${BASE_PATH}${path}`;
}

/** Whether an endpoint answers HEAD too: a link in a mail leads to its page, and checkers of links ask that way. */
export function answersHead({ method, page }: Routed): boolean {
  return method === "GET" && page !== undefined;
}

/** The keys of all routes that lead to an endpoint. */
export function routeKeysOf(definition: Routed): string[] {
  const { method, path } = definition;
  const methods = answersHead(definition) ? [method, "HEAD"] : [method];
  return methods.map((each) => routeKeyOf({ method: each, path }));
}
