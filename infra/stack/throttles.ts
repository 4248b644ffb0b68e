import { may } from "../../lib/auth/permissions.ts";
import type { Definition } from "../../lib/http/definition.ts";
import type { Verb } from "../../lib/table/access.ts";
import type { DeploymentContext } from "./context.ts";

function throttle(perSecond: number) {
  // A short flood does not close a route: it may use the calls of ten seconds in one.
  return { ThrottlingRateLimit: perSecond, ThrottlingBurstLimit: perSecond * 10 };
}

const READS = new Set<Verb>(["get", "query", "batchGet"]);

function writes({ path, method, table }: Definition): boolean {
  const changesItems = Object.values(table).some((verbs) => !verbs.every((verb) => READS.has(verb)));
  // Checking the token of a mail counts as a write: tokens can be guessed.
  return changesItems || (path.startsWith("/auth/") && method !== "GET");
}

/** The calls that each kind of route admits. Their sum grows with the endpoints, so rare calls get little. */
function perSecond(
  definition: Definition,
  { signInsPerSecond, readsPerSecond, writesPerSecond }: DeploymentContext,
): number {
  const { name, contract, issuesTokens, permission, path } = definition;
  // Few callers have the permission, or API keys; a site is set up once.
  if ((permission && !may({ role: "member" }, permission)) || path.startsWith("/keys") || name === "auth-set-up")
    return Math.ceil(writesPerSecond / 10);
  // Without a token the rest is of no use.
  if (issuesTokens) return signInsPerSecond;
  const most = writes(definition) ? writesPerSecond : readsPerSecond;
  return contract || path.startsWith("/auth/") ? most : Math.ceil(most / 2);
}

/**
 * The throttle of an endpoint's route. The gateway counts the calls of all clients together, so the sum of the
 * throttles bounds the worst daily bill (docs/costs.md#the-worst-day); lib/http/rate-limits.ts bounds each client.
 */
export function throttleOf(definition: Definition, context: DeploymentContext) {
  return throttle(perSecond(definition, context));
}

/** The throttle of other routes. */
export const LEAST = throttle(1);
