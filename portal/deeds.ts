import type { Failure } from "./api.ts";
import { reloadShown } from "./data.ts";
import { announce } from "./notices.ts";
import { t } from "./text.ts";

// What people do, and what the page then shows and says.

/** Another person was faster: what the page shows has changed, or is gone. */
function isOutdated({ code, status }: Failure): boolean {
  return code === "CHANGED_MEANWHILE" || status === 404;
}

/** Shows what another person has changed. The page says what is gone: the form that tried it goes too. */
export function reloadAfter(failure: Failure): void {
  if (!isOutdated(failure)) return;
  reloadShown();
  if (failure.status === 404) announce(failure.message, "problem");
}

/** Does something for which no form is there to show a failure. */
export async function attempt(work: unknown): Promise<void> {
  await Promise.resolve(work).catch((failure: Failure) => {
    reloadAfter(failure);
    announce(failure.message, "problem");
  });
}

/**
 * Does something, reads again what it changes, even if it failed, and says that it is done. Only where another person
 * was faster it does not read: who shows the failure reads the whole page again (`reloadAfter`).
 */
export async function carryOut(work: Promise<unknown>, again: () => Promise<void>, said = t("saved")): Promise<void> {
  await work.catch(async (failure: Failure) => {
    if (!isOutdated(failure)) await again();
    throw failure;
  });
  await again();
  announce(said);
}
