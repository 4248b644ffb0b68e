import type { Endpoint } from "../../lib/endpoint.ts";

/** How the gateway answers cross-origin calls, on one machine and in the stack: any origin, no credentials. */
export const cors = {
  allowOrigins: ["*"],
  allowHeaders: ["authorization", "content-type", "idempotency-key", "if-match"],
  /** The headers of an answer that a browser's script may read. */
  exposeHeaders: ["etag", "idempotency-replayed", "retry-after", "www-authenticate"],
  maxAgeSeconds: 86_400,
} as const;

/** The methods that cross-origin calls may use. */
export function corsMethods(endpoints: readonly Endpoint[]): string[] {
  return [...new Set(endpoints.map(({ definition }) => definition.method))].sort();
}
