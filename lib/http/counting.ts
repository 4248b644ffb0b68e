import type * as z from "zod/mini";
import * as rates from "../accounts/rates.ts";
import { environment, fromEnvironment } from "../runtime/environment.ts";
import { ApiError } from "../runtime/errors.ts";
import { storeUse } from "../runtime/store-budget.ts";
import {
  callsOf,
  countsForAccount,
  countsForNetwork,
  type Definition,
  type RequestSchema,
  takesAccessAway,
} from "./definition.ts";
import * as limits from "./rate-limits.ts";

// How many units a call uses is known only when it has ended. So the container remembers them as a debt, and counts
// them in parallel with the first read of the next call from the same network or account. That adds no step, and cheap
// reads cause no write.

/** The units that a network or an account has used since it was last counted, and until when it is refused. */
type Debt = { units: number; fullUntil: number };

const debts = fromEnvironment(() => new Map<string, Debt>());

const MOST_DEBTS = 10_000;

function debtOf(subject: string): Debt {
  const debt = debts().get(subject) ?? { units: 0, fullUntil: 0 };
  if (debts().size >= MOST_DEBTS) debts().clear();
  debts().set(subject, debt);
  return debt;
}

/** A smaller debt of a network is not counted yet: counting it would cost more than it is worth. */
const WORTH_COUNTING = 100;

/** The write units of a call with its background work, estimated by the size of its input. */
function estimate(input: unknown): number {
  return limits.SMALL_CALL + 4 * Math.floor(Buffer.byteLength(JSON.stringify(input)) / 1024);
}

export type Counting = NonNullable<ReturnType<typeof countingOf>>;

/**
 * The counting of one call, with its input if that is valid; undefined if it is not counted. Throws TOO_MANY_REQUESTS
 * while the network is full.
 */
export function countingOf(definition: Definition, network: string, input: z.output<RequestSchema> | undefined) {
  if (!environment().RATE_LIMITS || !countsForNetwork(definition)) return undefined;
  if (input && takesAccessAway(definition, input)) return undefined;
  const now = Date.now();
  const ofNetwork = debtOf(network);
  if (ofNetwork.fullUntil > now) {
    throw new ApiError("TOO_MANY_REQUESTS", { retryAfter: Math.ceil((ofNetwork.fullUntil - now) / 1000) });
  }
  let ofAccount: Debt | undefined;
  let estimated = 0;
  let settled = 0;
  let counted: limits.RateLimit["counts"] = [];

  async function countNetwork(): Promise<void> {
    const { units } = ofNetwork;
    if (units < WORTH_COUNTING) return;
    ofNetwork.units = 0;
    try {
      await limits.enforce(limits.network(network, units), now);
    } catch (error) {
      ofNetwork.units += units;
      if (error instanceof ApiError) ofNetwork.fullUntil = now + (error.retryAfter ?? 0) * 1000;
      throw error;
    }
  }

  async function countAccount(userId: string, input: unknown): Promise<void> {
    const debt = debtOf(`account ${userId}`);
    ofAccount = debt;
    const { units } = debt;
    debt.units = 0;
    estimated = estimate(input);
    const limit = limits.account(userId, estimated + units, callsOf(definition));
    try {
      if (!(await limits.enforce(limit, now))) return;
      counted = limit.counts;
      settled = units;
    } catch (error) {
      debt.units += units;
      throw error;
    }
  }

  return {
    countNetwork,

    /** Counts this call, which has valid input, and the units of earlier ones; throws TOO_MANY_REQUESTS. */
    async start(input: z.output<RequestSchema>, userId: string | undefined): Promise<void> {
      const limit = definition.limit?.(input, { network, account: userId as string });
      await Promise.all([
        countNetwork(),
        limit && limits.enforce(limit, now),
        userId !== undefined && countsForAccount(definition) && countAccount(userId, input),
      ]);
    },

    /** Takes the call back: its token was revoked, and must use up nothing of the account. */
    async takeBack(): Promise<void> {
      if (ofAccount) ofAccount.units += settled;
      await Promise.all(counted.map((count) => rates.takeBack(count, now)));
    },

    end(): void {
      const { readUnits, writeUnits } = storeUse();
      const written = writeUnits > 0 ? limits.withBackground(writeUnits) : 0;
      ofNetwork.units += readUnits + limits.UNITS_A_WRITE * written;
      if (ofAccount) ofAccount.units += Math.max(0, written - estimated);
    },
  };
}
