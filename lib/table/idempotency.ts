import * as z from "zod/mini";
import { Unavailable } from "../runtime/errors.ts";
import { key } from "./keys.ts";
import { type Attributes, type Part, put } from "./parts.ts";
import { get } from "./reads.ts";
import { EXPIRY_ATTRIBUTE, isOver, nowInSeconds } from "./table-shape.ts";

// A call with an Idempotency-Key writes one more item, in the transaction that does its work: both are committed, or
// none. So no lock is needed, and a second call with the key can never do the work again.

/** A call that may be repeated: its caller, the hash of its key, and the hash of what it asks for. */
export type RepeatableCall = { userId: string; keyHash: string; fingerprint: string };

export type IdempotencyPart<Made> = ((made: Made) => Part) | undefined;

/** Thrown by a writer if the call was carried out before, under the same key. */
export class CarriedOutBefore extends Unavailable {
  override readonly name = "CarriedOutBefore";
}

export const IdempotencyItem = z.object({
  fingerprint: z.string(),
  made: z.record(z.string(), z.unknown()),
  [EXPIRY_ATTRIBUTE]: z.number(),
});

export type MadeBefore = Pick<z.output<typeof IdempotencyItem>, "fingerprint" | "made">;

const LIFETIME_SECONDS = 24 * 60 * 60;

/** Part: keeps what a call made for a day. Its condition fails if the key of the call was used before. */
export function keyPart({ userId, keyHash, fingerprint }: RepeatableCall, made: Attributes): Part {
  return put(
    key.idempotency(userId, keyHash),
    { fingerprint, made, [EXPIRY_ATTRIBUTE]: nowInSeconds() + LIFETIME_SECONDS },
    {
      // DynamoDB deletes expired items late.
      if: "attribute_not_exists(pk) OR #expiry <= :now",
      names: { "#expiry": EXPIRY_ATTRIBUTE },
      values: { ":now": nowInSeconds() },
    },
  );
}

/** What the call with this key made; undefined if it was not carried out in the last day. */
export async function madeBefore({ userId, keyHash }: RepeatableCall): Promise<MadeBefore | undefined> {
  const item = await get(key.idempotency(userId, keyHash), IdempotencyItem);
  return item && !isOver(item) ? item : undefined;
}
