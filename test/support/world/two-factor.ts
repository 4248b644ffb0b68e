import * as twoFactor from "../../../lib/accounts/two-factor.ts";
import * as challenges from "../../../lib/auth/challenges.ts";
import * as tokens from "../../../lib/auth/tokens.ts";
import { codeOf, stepAt } from "../../../lib/auth/totp.ts";
import type { Person } from "./fixtures.ts";

/** The bytes of a secret as people type it, in Base32. */
export function secretIn(typed: string): Buffer {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...typed].map((letter) => letters.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** What an authenticator app shows now, or some steps of half a minute later. */
export function codeNow(secret: Buffer, later = 0): string {
  return codeOf(secret, stepAt(Date.now()) + later);
}

/** Switches the second factor of a person on; no code of the app was used since 1970. */
export async function withTwoFactor(
  person: Person,
): Promise<{ person: Person; secret: Buffer; recoveryCodes: string[]; challenge: string }> {
  const secret = await twoFactor.enrol(person.userId);
  const recoveryCodes = await twoFactor.switchOn(person, secret.toString("base64url"), 0, { sendsMail: false });
  if (typeof recoveryCodes === "string") throw new Error(recoveryCodes);
  const account = { ...person, tokenVersion: person.tokenVersion + 1, twoFactor: true as const };
  const token = await tokens.issue(account);
  return { person: { ...account, token }, secret, recoveryCodes, challenge: await challenges.issue(account) };
}
