import type * as z from "zod/mini";
import { environment, fromEnvironment } from "../runtime/environment.ts";
import { ApiError } from "../runtime/errors.ts";
import { storeUse } from "../runtime/store-budget.ts";
import {
  callLimitsOf,
  changesItems,
  countsForAccount,
  countsForNetwork,
  type Definition,
  type RequestSchema,
  takesAccessAway,
} from "./definition.ts";
import * as limits from "./rate-limits.ts";

// What a call uses is known only when it has ended. So before that, an estimate from its input counts. The container
// remembers the difference in a balance of the network and one of the account, and their next call also counts that.
//
// Example: a network owes 70 units, and asks for a list of ten posts, which is expected to use 40. Together that is 100
// or more (WORTH_COUNTING), so its limit counts 110 before the list is read. The list uses 12: the network has a credit
// of 28.

type Input = z.output<RequestSchema>;

/** What a limit has counted: the units that were owed, and those that a call was expected to use. */
type Receipt = { limit: limits.RateLimit; owed: number; expected: number };

/**
 * The units that a network or an account owes: it has used them, and its limit has not counted them yet. Below zero
 * they are a credit, which only a network gets.
 */
class Balance {
  #units = 0;
  #creditEnds = 0;
  /**
   * Set when the limit has refused a call: until when it counts as full, in milliseconds since 1970. Only a network's
   * is read. Until then smaller calls, which might still fit, are refused too: that asks the store nothing.
   */
  fullUntil = 0;

  /** A credit is worth something only in the window that has counted too much. */
  owed(now: number): number {
    if (this.#units < 0 && now >= this.#creditEnds) this.#units = 0;
    return this.#units;
  }

  /**
   * Counts what is owed, and what a call is expected to use. Throws TOO_MANY_REQUESTS, and owes as before, if the limit
   * is full. Returns undefined if the store could not count.
   */
  async count(
    limitOf: (units: number) => limits.RateLimit,
    expected: number,
    now: number,
  ): Promise<Receipt | undefined> {
    const owed = this.owed(now);
    // Nothing is owed until the limit has answered: a parallel call must not count it too.
    this.#units = 0;
    // It counts no more than a window holds: what is owed beyond that is forgiven.
    const limit = limitOf(owed + expected);
    let isCounted = false;
    try {
      isCounted = await limits.enforce(limit, now);
      return isCounted ? { limit, owed, expected } : undefined;
    } catch (error) {
      if (error instanceof ApiError) this.fullUntil = now + (error.retryAfter ?? 0) * 1000;
      throw error;
    } finally {
      if (!isCounted) this.#units += owed;
    }
  }

  /** Owes what a call has used beyond what was counted for it; a negative number lowers the debt. */
  owe(uncounted: number, now: number): void {
    this.#units += uncounted;
    this.#creditEnds = limits.endOfNetworkWindow(now);
  }

  /** Takes out what was counted: something else refused the call. What was owed before is owed again. */
  async undo({ limit, owed }: Receipt, now: number): Promise<void> {
    this.#units += owed;
    await limits.uncount(limit, now);
  }
}

const balances = fromEnvironment(() => new Map<string, Balance>());

// With as many, all are forgotten: each is worth a few calls.
const MOST_BALANCES = 10_000;

function balanceOf(subject: string): Balance {
  const balance = balances().get(subject) ?? new Balance();
  if (balances().size >= MOST_BALANCES) balances().clear();
  balances().set(subject, balance);
  return balance;
}

/** Fewer units of a network are not counted yet: counting them would cost more than it is worth. */
const WORTH_COUNTING = 100;

/** An estimate, from the input, of the write units of a change with its background work. */
function expectedWrites(definition: Definition, input: Input): number {
  const known = definition.expectedWrites?.(input);
  return known ?? limits.SMALL_CALL + 4 * Math.floor(Buffer.byteLength(JSON.stringify(input)) / 1024);
}

/** What counts a call for rate limits; undefined if nothing does. Throws TOO_MANY_REQUESTS if the network is full. */
export function countingOf(definition: Definition, network: string, input: Input | undefined): Counting | undefined {
  if (!environment().RATE_LIMITS || !countsForNetwork(definition)) return undefined;
  if (input && takesAccessAway(definition, input)) return undefined;
  return new Counting(definition, network);
}

export class Counting {
  readonly #definition: Definition;
  readonly #network: string;
  readonly #now = Date.now();
  readonly #ofNetwork: Balance;
  #ofAccount: Balance | undefined;
  #networkReceipt: Receipt | undefined;
  #accountReceipt: Receipt | undefined;

  constructor(definition: Definition, network: string) {
    this.#definition = definition;
    this.#network = network;
    this.#ofNetwork = balanceOf(network);
    const seconds = Math.ceil((this.#ofNetwork.fullUntil - this.#now) / 1000);
    if (seconds > 0) throw new ApiError("TOO_MANY_REQUESTS", { retryAfter: seconds });
  }

  /**
   * Whether a call with this input reads only once it is admitted. A call that is not worth counting reads in parallel,
   * and so does a change: it has no costly read, and writes only once it is admitted.
   */
  readsOnlyOnceAdmitted(input: Input): boolean {
    return !changesItems(this.#definition) && this.#isWorthCounting(this.#expectedOf(input));
  }

  /**
   * Counts a call with valid input. If one limit refuses it (TOO_MANY_REQUESTS), it is taken out of the others: for the
   * network by `end`, as what the call did not use. An endpoint with a limit of its own does not count for the account.
   */
  async start(input: Input, userId: string | undefined): Promise<void> {
    const limit = this.#definition.limit?.(input, { network: this.#network, account: userId as string });
    const [ofNetwork, ofEndpoint, ofAccount] = await Promise.allSettled([
      this.countNetwork(this.#expectedOf(input)),
      limit && limits.enforce(limit, this.#now),
      userId !== undefined && countsForAccount(this.#definition) && this.#countAccount(userId, input),
    ]);
    const refused = [ofNetwork, ofEndpoint, ofAccount].find(({ status }) => status === "rejected");
    if (refused?.status !== "rejected") return;
    if (limit && ofEndpoint.status === "fulfilled" && ofEndpoint.value) await limits.uncount(limit, this.#now);
    await this.releaseAccount();
    throw refused.reason;
  }

  /** Counts for the network what it owes, and what a call is expected to use. */
  async countNetwork(expected = 0): Promise<void> {
    if (!this.#isWorthCounting(expected)) return;
    const limitOf = (units: number) => limits.network(this.#network, units);
    this.#networkReceipt = await this.#ofNetwork.count(limitOf, expected, this.#now);
  }

  async #countAccount(userId: string, input: Input): Promise<void> {
    this.#ofAccount = balanceOf(`account ${userId}`);
    const isLimited = this.#definition.isLimited?.(input) ?? true;
    const ofCalls = isLimited ? callLimitsOf(this.#definition) : [];
    const limitOf = (units: number) => limits.account(userId, units, ofCalls);
    this.#accountReceipt = await this.#ofAccount.count(limitOf, expectedWrites(this.#definition, input), this.#now);
  }

  /** Takes the call out of what its account counts: it was refused, perhaps because its token was revoked. */
  async releaseAccount(): Promise<void> {
    const receipt = this.#accountReceipt;
    this.#accountReceipt = undefined;
    if (receipt) await this.#ofAccount?.undo(receipt, this.#now);
    this.#ofAccount = undefined;
  }

  /** Notes what the call has used, when it has ended. */
  end(): void {
    const { readUnits, writeUnits } = storeUse();
    const written = writeUnits > 0 ? limits.withBackground(writeUnits) : 0;
    const used = readUnits + limits.UNITS_A_WRITE * written;
    this.#ofNetwork.owe(used - (this.#networkReceipt?.expected ?? 0), this.#now);
    // An account counts for each change at least what was expected, so it never gets a credit.
    this.#ofAccount?.owe(Math.max(written - (this.#accountReceipt?.expected ?? 0), 0), this.#now);
  }

  /** The units that a call with this input is expected to use. */
  #expectedOf(input: Input): number {
    const writes = countsForAccount(this.#definition) ? expectedWrites(this.#definition, input) : 0;
    return (this.#definition.expectedReads?.(input) ?? 0) + limits.UNITS_A_WRITE * writes;
  }

  #isWorthCounting(expected: number): boolean {
    return this.#ofNetwork.owed(this.#now) + expected >= WORTH_COUNTING;
  }
}
