import * as z from "zod/mini";
import { type Erased, endOf } from "../../accounts/erasures.ts";

/** What stays of an erased account, and until when. */
export const Staying = z.object({
  what: z.enum(["posts", "votes", "record", "event", "audit", "limits", "logs", "backups"]),
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

export function erasureView({ userId, at, votes }: Erased): Erasure {
  const forGood = votes === "keep" ? (["posts", "votes", "record"] as const) : (["posts", "record"] as const);
  const forDays = (["event", "audit", "limits", "logs", "backups"] as const).map((what) => ({
    what,
    until: endOf(what, at).toISOString(),
  }));
  const stays = [...forGood.map((what) => ({ what, until: null })), ...forDays];
  return { userId, erasedAt: new Date(at).toISOString(), votes, stays };
}
