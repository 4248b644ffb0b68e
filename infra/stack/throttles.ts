import { may } from "../../lib/auth/permissions.ts";
import type { Verb } from "../../lib/data/access.ts";
import type { Definition } from "../../lib/http/definition.ts";
import type { DeploymentContext } from "./context.ts";

/** The calls a second that a route admits, and how many at once. */
export type Throttle = { ThrottlingRateLimit: number; ThrottlingBurstLimit: number };

// A short flood does not close a route: what it may admit in ten seconds is there at once.
const BURST_SECONDS = 10;

// Only the owner and moderators get past the permission of these endpoints.
const STAFF_PER_SECOND = 5;

/** So many calls a second. */
export const throttle = (perSecond: number): Throttle => ({
  ThrottlingRateLimit: perSecond,
  ThrottlingBurstLimit: perSecond * BURST_SECONDS,
});

/** For a route that has no throttle of its own. */
export const LEAST = throttle(STAFF_PER_SECOND);

const READS = new Set<Verb>(["get", "query", "batchGet"]);

const writes = ({ path, method, table }: Definition): boolean =>
  // What a token of a mail is sent to writes, or is guessed at.
  (path.startsWith("/auth/") && method !== "GET") ||
  Object.values(table).some((verbs) => !verbs.every((verb) => READS.has(verb)));

/**
 * The throttle of an endpoint's route. The gateway counts the calls of all clients together, refused ones too, so a throttle bounds
 * the bill, and limits of our own (lib/http/rate-limits.ts) bound each client. Sign-ins admit the most: nobody gets in without them.
 * The sum of all throttles decides the worst daily bill (docs/deploy.md#what-it-can-cost-at-most).
 */
export const throttleOf = (
  definition: Definition,
  { signInsPerSecond, readsPerSecond, writesPerSecond }: DeploymentContext,
): Throttle => {
  const { issuesTokens, permission } = definition;
  if (issuesTokens) return throttle(signInsPerSecond);
  if (permission && !may("member", permission)) return LEAST;
  return throttle(writes(definition) ? writesPerSecond : readsPerSecond);
};
