import type { Failure } from "./api.ts";
import { reloadShown } from "./data.ts";
import { announce } from "./notices.ts";
import { t } from "./text.ts";

// What people do, and what the page then shows and says.

/** Another person was faster. */
function isConflict({ code }: Failure): boolean {
  return code === "CHANGED_MEANWHILE";
}

/** Shows what another person has changed. */
export function reloadAfter(failure: Failure): void {
  if (isConflict(failure)) reloadShown();
}

/** Does something for which no form is there to show a failure. */
export async function attempt(work: unknown): Promise<void> {
  await Promise.resolve(work).catch((failure: Failure) => {
    reloadAfter(failure);
    announce(failure.message, "problem");
  });
}

/**
 * Does something, reads again what it changes, and says that it is done. After a conflict, who shows the failure reads
 * the page again.
 */
export async function carryOut(work: Promise<unknown>, again: () => Promise<void>, said = t("saved")): Promise<void> {
  await work.catch(async (failure: Failure) => {
    if (!isConflict(failure)) await again();
    throw failure;
  });
  await again();
  announce(said);
}
