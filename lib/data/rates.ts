import { EXPIRY_ATTRIBUTE, key } from "./keys.ts";
import { updateAlone } from "./single-writes.ts";

/** At most `hits` within `seconds`, counted for one subject. */
export type Window = { subject: string; hits: number; seconds: number };

/**
 * Counts one hit. Returns undefined while hits are left, otherwise the seconds until the window ends. Windows begin at multiples of
 * their length. One conditional update decides, so parallel hits are counted exactly.
 */
export const hit = async ({ subject, hits, seconds }: Window, now = Date.now()): Promise<number | undefined> => {
  const number = Math.floor(now / 1000 / seconds);
  const end = (number + 1) * seconds;
  const counted = await updateAlone(key.rate(subject, `${seconds}-${number}`), "ADD #hits :one SET #expiry = :end", {
    if: "attribute_not_exists(#hits) OR #hits < :limit",
    names: { "#hits": "hits", "#expiry": EXPIRY_ATTRIBUTE },
    values: { ":one": 1, ":end": end, ":limit": hits },
  });
  return counted ? undefined : Math.max(1, Math.ceil(end - now / 1000));
};
