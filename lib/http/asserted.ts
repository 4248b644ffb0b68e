import type { Asserted } from "../auth/linking.ts";
import type { Person } from "../providers/oidc.ts";
import { wholeWithin } from "../values/characters.ts";
import { Email, LONGEST_NAME, PersonName } from "./account-inputs.ts";

/** The person of an ID token, with address and name as this service takes them; what is not good is left out. */
export function assertedOf(
  { subject, email, emailVerified, name }: Person,
  { issuer, staff }: { issuer: string; staff: boolean },
): Asserted {
  const cut = typeof name === "string" ? wholeWithin(name, LONGEST_NAME) : name;
  return {
    issuer,
    subject,
    email: Email.safeParse(email).data,
    emailVerified,
    name: PersonName.safeParse(cut).data,
    mayBeStaff: staff,
  };
}
