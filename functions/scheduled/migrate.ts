import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "aws-lambda";
import { isBehind, migrate, status } from "../../lib/migrations/migrate.ts";
import * as log from "../../lib/runtime/log.ts";

/** The longest timeout of the other functions: so long after a deploy, all calls of old code have ended. */
export const SETTLE_SECONDS = 300;

// Leaves most of the table to requests: docs/architecture.md#changing-the-model.
const PAUSE_MS = 50;

// Time to finish the page at hand before Lambda ends the call, in milliseconds.
const RESERVE_MS = 5000;

/**
 * Brings the table to the newest version of the data model; a call that runs out of time is continued by the next one.
 * The stack replaces this function after all others, so when its code is new, only calls under way are old: it waits
 * until they have ended. An operator skips the wait by the event `{"settleSeconds": 0}`.
 */
export async function handler(
  { settleSeconds = SETTLE_SECONDS }: { settleSeconds?: number },
  { getRemainingTimeInMillis }: Pick<Context, "getRemainingTimeInMillis">,
): Promise<void> {
  // The table is newer than this code after a rollback to an earlier release.
  if (!isBehind(await status())) return;
  await sleep(settleSeconds * 1000);
  await migrate({
    pauseMs: PAUSE_MS,
    isTimeUp: () => getRemainingTimeInMillis() < RESERVE_MS,
    onProgress: ({ number, title, items, isDone }) =>
      log.info(`migration ${number} (${title}): ${items} items, ${isDone ? "done" : "under way"}`),
  });
}
