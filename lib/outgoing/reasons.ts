/** Why a call brought no answer: codes, with the words for the owner. */
export const reasons = {
  URL_NOT_ALLOWED: "The url is not allowed",
  HOST_NOT_PUBLIC: "The host has an address that is not public",
  HOST_UNKNOWN: "The host is not known",
  CONNECTION_REFUSED: "The host refuses connections",
  CONNECTION_ENDED: "The host ended the connection",
  CONNECTION_FAILED: "The connection failed",
  NO_ANSWER: "No answer in time",
  TOO_LONG: "The answer is too long",
} as const;
