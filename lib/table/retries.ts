import { backOff } from "../runtime/store-budget.ts";
import { StoreUnavailable } from "./client.ts";

/** How often a batch or a transaction is sent again before it fails as StoreUnavailable. */
export const MAX_RESENDS = 10;

// On a contended item the store budget ends the attempts before this number does.
const MAX_PLANS = 30;

/** As `replanned`, for one item; undefined once it is deleted. */
export function changeStored<Stored, Outcome>(
  asRead: Stored | undefined,
  readAgain: () => Promise<Stored | undefined>,
  plan: (stored: Stored) => Promise<Outcome | "changed meanwhile">,
): Promise<Outcome | undefined> {
  return replanned(asRead, readAgain, async (stored) => (stored === undefined ? undefined : plan(stored)));
}

/** As `replanned`, for an attempt that reads what it needs. */
export function repeated<Outcome>(attempt: () => Promise<Outcome | "changed meanwhile">): Promise<Outcome> {
  return replanned(undefined, async () => undefined, attempt);
}

/** Plans from the items read; if they have changed since, reads again. Throws StoreUnavailable after 30 plans. */
export async function replanned<Read, Outcome>(
  firstRead: Read,
  readAgain: () => Promise<Read>,
  plan: (read: Read) => Promise<Outcome | "changed meanwhile">,
): Promise<Outcome> {
  let read = firstRead;
  for (let attempt = 0; attempt < MAX_PLANS; attempt++) {
    const outcome = await plan(read);
    if (outcome !== "changed meanwhile") return outcome;
    // At most 80 ms: a longer wait would serve this caller after the crowd instead of within it.
    if (attempt > 0) await backOff(Math.min(attempt, 2));
    read = await readAgain();
  }
  throw new StoreUnavailable("the items of a plan changed before each of its attempts to commit");
}
