import * as z from "zod/mini";
import { isCommon } from "../auth/common-passwords.ts";
import { environment } from "../runtime/environment.ts";
import { SomePassword } from "./account-inputs.ts";
import { lengthBetween, WellFormed } from "./text-inputs.ts";

// Not in account-inputs.ts: only functions that set passwords include the list of common ones.

function isAllowed(password: string): boolean {
  return environment().COMMON_PASSWORDS === "allow" || !isCommon(password);
}

/**
 * The shorter form of a password, typed or hashed: eight typed characters may be four letters with accents, and a
 * single one may be a sentence when it is hashed.
 */
function shorterForm(typed: string): string {
  const hashed = typed.normalize("NFKC");
  return hashed.length < typed.length ? hashed : typed;
}

export const Password = z
  .pipe(
    SomePassword,
    WellFormed.check(
      z.superRefine(lengthBetween(0, 128)),
      z.superRefine((typed, context) => lengthBetween(8, Number.POSITIVE_INFINITY)(shorterForm(typed), context)),
      // As it is hashed.
      z.normalize("NFKC"),
      z.refine(isAllowed, "Must not be one of the commonest passwords"),
    ),
  )
  .check(z.meta({ type: "string", format: "password", minLength: 8, maxLength: 128 }));
