import { reasons as ofCalls } from "../outgoing/reasons.ts";
import { Unavailable } from "../runtime/errors.ts";

/** Why a sign-in by a provider failed: codes, with the words for the owner. */
export const reasons = {
  ...ofCalls,
  PROVIDER_FAILED: "The provider answers with an error",
  NOT_A_PROVIDER: "The issuer has no usable discovery document",
  OTHER_ISSUER: "The discovery document is of another issuer",
  CLIENT_REFUSED: "The provider refuses the client id or the secret",
  CODE_REFUSED: "The provider refuses the code",
  ID_TOKEN_REFUSED: "The ID token is not good",
  CHANGED: "The provider was changed during the test",
} as const;

export type ReasonCode = keyof typeof reasons;

export const reasonCodes = Object.keys(reasons) as ReasonCode[];

/** A sign-in that a provider did not confirm. */
export class Fault extends Error {
  readonly code: ReasonCode;

  constructor(code: ReasonCode, detail?: string) {
    super(detail === undefined ? reasons[code] : `${reasons[code]}: ${detail}`);
    this.code = code;
  }
}

/** A provider that does not answer, or not usably: another time it may. */
export class ProviderDown extends Unavailable {
  override readonly name = "ProviderDown";
  readonly code: ReasonCode;

  constructor(words: string) {
    super(words);
    // After the words of a reason a detail may stand.
    this.code = reasonCodes.find((code) => words.startsWith(reasons[code])) ?? "CONNECTION_FAILED";
  }
}
