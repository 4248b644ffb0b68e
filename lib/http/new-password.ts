import * as z from "zod/mini";
import { isCommon } from "../auth/common-passwords.ts";
import { settings } from "../runtime/settings.ts";
import { isWellFormed, lengthBetween, SomePassword } from "./inputs.ts";

// Not in inputs.ts: only functions that set passwords carry the list of common ones.

function mayBe(password: string): boolean {
  return !settings().refuseCommonPasswords || !isCommon(password);
}

/**
 * A password to set: 8 to 128 characters, while COMMON_PASSWORDS is `refuse` none of the commonest. Missing or empty is
 * PASSWORD_MISSING.
 */
export const Password = z
  .pipe(
    SomePassword,
    z
      .string()
      .check(
        z.superRefine(lengthBetween(8, 128)),
        z.refine(isWellFormed, "Must not hold lone surrogates"),
        z.refine(mayBe, "Must not be one of the commonest passwords"),
      ),
  )
  .check(z.meta({ type: "string", format: "password", minLength: 8, maxLength: 128 }));
