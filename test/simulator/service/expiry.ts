import type { Change, Database } from "../model/database.ts";
import type { Item } from "../model/values.ts";
import type { Random } from "../scheduler/random.ts";
import type { Scheduler } from "../scheduler/scheduler.ts";

type ExpiryOptions = {
  scheduler: Scheduler;
  database: () => Database;
  /** The attribute that says when: seconds since 1970. */
  attribute: string;
};

// AWS promises: within a few days.
const LATEST_MS = 2 * 86_400_000;
const AGAIN_MS = 1000;

/** Deletes items some time after they have expired, as DynamoDB's time to live does. */
export class Expiry {
  readonly #options: ExpiryOptions;
  readonly #random: Random;

  constructor(options: ExpiryOptions) {
    this.#options = options;
    this.#random = options.scheduler.random.fork("expiry");
  }

  readonly note = ({ key, before, after }: Change): void => {
    const expiresAt = this.#expiresAt(after);
    if (expiresAt === undefined || expiresAt === this.#expiresAt(before)) return;
    const { scheduler } = this.#options;
    const due = Math.max(expiresAt, scheduler.now) + this.#random.between(0, LATEST_MS);
    scheduler.at(due, () => this.#remove(key));
  };

  #remove(key: Change["key"]): void {
    const { scheduler } = this.#options;
    const database = this.#options.database();
    const expiresAt = this.#expiresAt(database.table.get(key)?.item);
    // It was renewed.
    if (expiresAt === undefined || expiresAt > scheduler.now) return;
    if (database.isHeld(key)) scheduler.after(AGAIN_MS, () => this.#remove(key));
    else database.commit(key, undefined, "expiry");
  }

  #expiresAt(item: Item | undefined): number | undefined {
    const value = item?.[this.#options.attribute];
    return value && "N" in value ? Number(value.N) * 1000 : undefined;
  }
}
