import type { Definition } from "./definition.ts";

export const BASE_PATH = "/api/v1";

/** The key of an endpoint's route, as the gateway writes it into each event: `POST /api/v1/votes`. */
export function routeKeyOf({ method, path }: Pick<Definition, "method" | "path">): string {
  return `${method} ${BASE_PATH}${path}`;
}
