import { createHmac, timingSafeEqual } from "node:crypto";

// Codes of authenticator apps (RFC 6238): six digits of an HMAC-SHA-1 over the number of the half minute since 1970.
// Other hashes, lengths and steps are in the RFC too, but not in all apps.

const STEP_SECONDS = 30;
const DIGITS = 6;

/** How many steps the clock of a phone may be ahead or behind. */
const DRIFT = 1;

/** The number of the step that a moment lies in, in milliseconds since 1970. */
export function stepAt(now: number): number {
  return Math.floor(now / 1000 / STEP_SECONDS);
}

/** The code of a step: section 5.3 of RFC 4226. */
export function codeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = (mac.at(-1) as number) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

/** The step of a code that is good now; undefined if the code is wrong, or of the step `usedUpTo` or an earlier one. */
export function stepOf(typed: string, secret: Buffer, usedUpTo: number, now: number): number | undefined {
  const current = stepAt(now);
  const steps = [current - DRIFT, current, current + DRIFT].filter((step) => step > usedUpTo);
  const code = Buffer.from(typed.padEnd(DIGITS).slice(0, DIGITS));
  if (typed.length !== DIGITS || code.length !== DIGITS) return undefined;
  return steps.find((step) => timingSafeEqual(Buffer.from(codeOf(secret, step)), code));
}

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Bytes in Base32 (RFC 4648) without padding: what people type into an app. Their number is a multiple of five. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32[Number.parseInt(five, 2)]).join("");
}

/** The address that apps read from a QR code. */
export function addressOf(secret: Buffer, site: string, account: string): string {
  const label = `${encodeURIComponent(site)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(site)}`;
}
