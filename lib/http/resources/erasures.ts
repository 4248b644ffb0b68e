import * as z from "zod/mini";
import type { Erased } from "../../accounts/erasures.ts";

/** What stays of an erased account, and until when. */
export const Staying = z.object({
  what: z.enum(["posts", "votes", "record", "event", "limits", "logs", "backups"]),
  until: z.nullable(z.string()),
});

/** The receipt of an erasure. */
export const Erasure = z.object({
  userId: z.string(),
  erasedAt: z.string(),
  votes: z.enum(["keep", "withdraw"]),
  stays: z.array(Staying),
});
export type Erasure = z.infer<typeof Erasure>;

/**
 * For how many days something stays: the event of the deletion, and logs, name the account by its id; counters of rate
 * limits have hashes of the address; backups have the account as it was. docs/sign-in.md#deleting-an-account
 */
export const DAYS = { event: 30, limits: 90, logs: 30, backups: 35 } as const;

const DAY_MS = 24 * 60 * 60 * 1000;

export function erasureView({ userId, at, votes }: Erased): Erasure {
  const forGood = votes === "keep" ? (["posts", "votes", "record"] as const) : (["posts", "record"] as const);
  const forDays = (["event", "limits", "logs", "backups"] as const).map((what) => ({
    what,
    until: new Date(at + DAYS[what] * DAY_MS).toISOString(),
  }));
  const stays = [...forGood.map((what) => ({ what, until: null })), ...forDays];
  return { userId, erasedAt: new Date(at).toISOString(), votes, stays };
}
