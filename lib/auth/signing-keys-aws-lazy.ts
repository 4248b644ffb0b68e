/**
 * `keyRing` of signing-keys-aws.ts, loaded on the first call: a process with SIGNING_SECRET never loads the client. Bundles take
 * that module directly.
 */
export const keyRing: typeof import("./signing-keys-aws.ts").keyRing = async (arn) =>
  (await import("./signing-keys-aws.ts")).keyRing(arn);
