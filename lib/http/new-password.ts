import * as z from "zod/mini";
import { isCommon } from "../auth/common-passwords.ts";
import { environment } from "../runtime/environment.ts";
import { lengthBetween, SomePassword, WellFormed } from "./inputs.ts";

// Not in inputs.ts: only functions that set passwords include the list of common ones.

function isAllowed(password: string): boolean {
  return environment().COMMON_PASSWORDS === "allow" || !isCommon(password);
}

export const Password = z
  .pipe(
    SomePassword,
    WellFormed.check(
      z.superRefine(lengthBetween(0, 128)),
      // As it is hashed: eight typed characters may be four letters with accents.
      z.normalize("NFKC"),
      z.superRefine(lengthBetween(8, Number.POSITIVE_INFINITY)),
      z.refine(isAllowed, "Must not be one of the commonest passwords"),
    ),
  )
  .check(z.meta({ type: "string", format: "password", minLength: 8, maxLength: 128 }));
