import type { Asserted } from "../auth/linking.ts";
import type { Person } from "../providers/oidc.ts";
import { wholeWithin } from "../values/characters.ts";
import { Email } from "./account-inputs.ts";
import { Line } from "./text-inputs.ts";

const LONGEST_NAME = 60;
const Name = Line(LONGEST_NAME);

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
    name: Name.safeParse(cut).data,
    mayBeStaff: staff,
  };
}
