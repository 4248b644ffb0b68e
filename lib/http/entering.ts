import type { Site } from "../accounts/site.ts";
import type { UserRecord } from "../accounts/users.ts";
import * as challenges from "../auth/challenges.ts";
import { isStaff } from "../auth/permissions.ts";
import * as tokens from "../auth/tokens.ts";
import { ApiError } from "../runtime/errors.ts";
import { type User, userView } from "./resources/accounts.ts";

/**
 * Opens a session for an account that has passed the first factor of a sign-in. Throws TWO_FACTOR_NEEDED if it has a
 * second one, or must have one, unless that was asked for elsewhere (`hasSecondFactor`).
 */
export async function openSession(
  account: UserRecord,
  site: Site | undefined,
  { hasSecondFactor = false } = {},
): Promise<User> {
  const isOn = account.twoFactor === true;
  const isRequired = site?.requireTwoFactor === true && isStaff(account);
  if ((isOn || isRequired) && !hasSecondFactor) {
    throw new ApiError("TWO_FACTOR_NEEDED", { secondStep: { challenge: await challenges.issue(account), isOn } });
  }
  return userView(account, await tokens.issue(account));
}
