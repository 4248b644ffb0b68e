import { bytesOf, hashOfRecovery, type Proof, type TwoFactor } from "../accounts/two-factor.ts";
import * as users from "../accounts/users.ts";
import { readCode } from "../values/codes.ts";
import * as challenges from "./challenges.ts";
import { stepOf } from "./totp.ts";

/** What a typed code proves now: a step of the app or a recovery code that is left; undefined if it is wrong. */
export function proofOf(typed: string, userId: string, factor: TwoFactor): Proof | undefined {
  const code = readCode(typed);
  const step = stepOf(code, bytesOf(factor), factor.lastStep, Date.now());
  if (step !== undefined) return { step };
  const recovery = hashOfRecovery(userId, code);
  return Object.hasOwn(factor.recovery, recovery) ? { recovery } : undefined;
}

/** The account that has passed the first factor; undefined if the challenge or its sessions have ended. */
export async function accountOf(challenge: string): Promise<users.UserRecord | undefined> {
  const challenged = await challenges.read(challenge);
  const account = challenged && (await users.find(challenged.userId));
  return account?.tokenVersion === challenged?.tokenVersion ? account : undefined;
}
