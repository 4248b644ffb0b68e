import type { Schemas } from "../../api.ts";
import { changedIn } from "../../parts/changed-in.ts";
import type { Values } from "../../parts/fields.tsx";

export type Provider = Schemas["Provider"];

export const USUAL_CLAIMS: Provider["claims"] = { email: "email", emailVerified: "email_verified", name: "name" };

/** The fields of a provider, from a form; an empty secret stays, and claims that the form does not have. */
export function fieldsOf(
  { name = "", issuer = "", clientId = "", clientSecret, emailVerified, ...more }: Values,
  before = USUAL_CLAIMS,
) {
  const claims = { ...before, ...(emailVerified && { emailVerified }) };
  return { name, issuer, clientId, claims, staff: "staff" in more, ...(clientSecret && { clientSecret }) };
}

/** Only what differs: a client that is sent again unchanged would have to be tested again. */
export function changeOf(provider: Provider, values: Values) {
  return changedIn(provider, fieldsOf(values, provider.claims));
}
