import * as outgoing from "../outgoing/reasons.ts";

// Webhooks do not read answers, so none is too long.
const { TOO_LONG: _, ...ofCalls } = outgoing.reasons;

/** Why a receiver did not answer: codes, with the words for the owner that deliveries keep. */
export const reasons = {
  ...ofCalls,
  WEBHOOK_GONE: "The webhook is gone",
  SENDER_FAILED: "The sender of webhooks did not answer",
  SERVICE_FAILED: "The service failed",
} as const;

export const reasonCodes = Object.keys(reasons) as (keyof typeof reasons)[];

/** The code of a reason in words, after which a detail may stand. */
export function reasonCodeOf(words: string): keyof typeof reasons | undefined {
  return reasonCodes.find((code) => words.startsWith(reasons[code]));
}
