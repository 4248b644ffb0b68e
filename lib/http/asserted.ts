import type { Site } from "../accounts/site.ts";
import type { Once } from "../accounts/sso.ts";
import type { Asserted } from "../auth/linking.ts";
import { SSO_ISSUER, SsoFault, verify } from "../auth/sso.ts";
import type { Person } from "../providers/oidc.ts";
import { wholeWithin } from "../values/characters.ts";
import { Email, LONGEST_NAME, PersonName } from "./account-inputs.ts";

/** Some services put the address in place of a name that they do not know: that is for nobody else to see. */
function nameIn(name: unknown, email: unknown): string | undefined {
  const cut = typeof name === "string" ? wholeWithin(name, LONGEST_NAME) : name;
  const address = Email.safeParse(email).data;
  const isAddress = address !== undefined && Email.safeParse(name).data === address;
  return isAddress ? undefined : PersonName.safeParse(cut).data;
}

/** A person of another service, with address and name as this one takes them; what is not good is left out. */
export function assertedOf(
  { subject, email, emailVerified, name }: Omit<Person, "hasSecondFactor">,
  { issuer, staff, name: provider }: { issuer: string; staff: boolean; name?: string },
): Asserted {
  return {
    issuer,
    subject,
    email: Email.safeParse(email).data,
    emailVerified,
    name: nameIn(name, email),
    provider,
    mayBeStaff: staff,
  };
}

/** The person of a token that the owner's product has signed, and what makes it count once. Throws SsoFault. */
export async function assertedBySso(
  token: string,
  secrets: string[],
  ofSite: Site | undefined,
): Promise<{ asserted: Asserted; once: Once }> {
  const { person, once } = await verify(token, secrets);
  const asserted = assertedOf(person, { issuer: SSO_ISSUER, staff: ofSite?.ssoStaff ?? false });
  if (asserted.email === undefined) throw new SsoFault("email");
  return { asserted, once };
}
