/** Why a receiver did not answer: codes, with the words for the owner that deliveries keep. */
export const reasons = {
  URL_NOT_ALLOWED: "The url is not allowed",
  HOST_NOT_PUBLIC: "The host has an address that is not public",
  HOST_UNKNOWN: "The host is not known",
  CONNECTION_REFUSED: "The host refuses connections",
  CONNECTION_ENDED: "The host ended the connection",
  CONNECTION_FAILED: "The connection failed",
  NO_ANSWER: "No answer in time",
  WEBHOOK_GONE: "The webhook is gone",
  SENDER_FAILED: "The sender of webhooks did not answer",
  SERVICE_FAILED: "The service failed",
} as const;

export const reasonCodes = Object.keys(reasons) as (keyof typeof reasons)[];

/** The code of a reason in words, after which a detail may stand. */
export function reasonCodeOf(words: string): keyof typeof reasons | undefined {
  return reasonCodes.find((code) => words.startsWith(reasons[code]));
}
