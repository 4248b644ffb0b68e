import { may } from "../../lib/auth/permissions.ts";
import type { Definition } from "../../lib/http/definition.ts";
import type { Verb } from "../../lib/table/access.ts";
import type { DeploymentContext } from "./context.ts";

/** The calls a second that a route admits, and how many at once. */
export type Throttle = { ThrottlingRateLimit: number; ThrottlingBurstLimit: number };

// A short flood does not close a route: what it may admit in ten seconds is there at once.
const BURST_SECONDS = 10;

/** So many calls a second. */
export function throttle(perSecond: number): Throttle {
  return {
    ThrottlingRateLimit: perSecond,
    ThrottlingBurstLimit: perSecond * BURST_SECONDS,
  };
}

const READS = new Set<Verb>(["get", "query", "batchGet"]);

function writes({ path, method, table }: Definition): boolean {
  // What a token of a mail is sent to writes, or is guessed at.
  return (
    (path.startsWith("/auth/") && method !== "GET") ||
    Object.values(table).some((verbs) => !verbs.every((verb) => READS.has(verb)))
  );
}

/** What each kind of route admits. Their number grows with the endpoints, so what few may call, or few do, admits little. */
function perSecond(
  definition: Definition,
  { signInsPerSecond, readsPerSecond, writesPerSecond }: DeploymentContext,
): number {
  const { name, contract, issuesTokens, permission, path } = definition;
  // Only the owner and moderators get past the permission of these endpoints, or have keys; a site is set up once.
  if ((permission && !may({ role: "member" }, permission)) || path.startsWith("/keys") || name === "auth-set-up")
    return Math.ceil(writesPerSecond / 10);
  // Nobody gets in without them.
  if (issuesTokens) return signInsPerSecond;
  const most = writes(definition) ? writesPerSecond : readsPerSecond;
  return contract || path.startsWith("/auth/") ? most : Math.ceil(most / 2);
}

/**
 * The throttle of an endpoint's route. The gateway counts the calls of all clients together, refused ones too, so a throttle bounds
 * the bill, and limits of our own (lib/http/rate-limits.ts) bound each client. The sum of all throttles decides the worst daily bill
 * (docs/costs.md#the-worst-day).
 */
export function throttleOf(definition: Definition, context: DeploymentContext): Throttle {
  return throttle(perSecond(definition, context));
}

/** For a route that has no throttle of its own. */
export const LEAST = throttle(1);
