import { isStaff } from "../accounts/roles.ts";
import type { Site } from "../accounts/site.ts";
import { learnLanguage, type UserRecord } from "../accounts/users.ts";
import * as challenges from "../auth/challenges.ts";
import * as tokens from "../auth/tokens.ts";
import { ApiError } from "../runtime/errors.ts";
import type { Language } from "../values/languages.ts";
import { type User, userView } from "./resources/accounts.ts";

/**
 * Opens a session for an account that has passed the first factor of a sign-in. Throws TWO_FACTOR_NEEDED if it has a
 * second one, or must have one, unless that was asked for elsewhere (`hasSecondFactor`).
 */
export async function openSession(
  account: UserRecord,
  site: Site | undefined,
  { language, hasSecondFactor = false }: { language: Language | undefined; hasSecondFactor?: boolean },
): Promise<User> {
  const isOn = account.twoFactor === true;
  const isRequired = site?.requireTwoFactor === true && isStaff(account);
  if ((isOn || isRequired) && !hasSecondFactor) {
    throw new ApiError("TWO_FACTOR_NEEDED", { secondStep: { challenge: await challenges.issue(account), isOn } });
  }
  return enter(account, language);
}

/** Lets an account in that has passed every factor. Without a language of its own it gets the one of who signs in. */
export async function enter(account: UserRecord, language: Language | undefined): Promise<User> {
  if (language && account.language === undefined) await learnLanguage(account, language);
  return userView(account, await tokens.issue(account));
}
