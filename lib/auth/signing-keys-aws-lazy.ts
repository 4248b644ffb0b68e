/** `keyRing` of signing-keys-aws.ts, loaded on the first call: with SIGNING_SECRET nobody pays for the client. A bundle takes that module itself. */
export const keyRing: typeof import("./signing-keys-aws.ts").keyRing = async (arn) =>
  (await import("./signing-keys-aws.ts")).keyRing(arn);
