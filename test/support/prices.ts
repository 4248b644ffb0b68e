/** List prices of us-east-1 in USD, as in docs/costs.md. */
export const PRICE = {
  readUnits: 0.125e-6,
  writeUnits: 0.625e-6,
  gatewayCalls: 1e-6,
  functionCalls: 0.2e-6,
  gigabyteSeconds: 0.0000133334,
  logBytes: 0.5e-9,
  traces: 5e-6,
  bytesOut: 0.09e-9,
  mails: 0.0001,
  s3Writes: 5e-6,
  s3Reads: 0.4e-6,
  // A byte in S3 for a day.
  s3Bytes: 0.023e-9 / 30,
};

// Assumed, as in docs/costs.md#a-month: a call takes 30 ms, one that hashes a password 100.
export const SECONDS_A_CALL = 0.03;
export const SECONDS_A_HASH = 0.1;
export const ACCESS_LOG_BYTES = 212;
export const LOG_BYTES_A_CALL = ACCESS_LOG_BYTES + 240 + 2 * 26;
