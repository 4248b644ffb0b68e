import { useSite } from "../../site.ts";
import { firstText } from "./first-text.ts";

/** Which addresses may open an account, if not all. */
export function OnlyDomains() {
  const { allowSignup, signupDomains } = useSite();
  if (!allowSignup || signupDomains.length === 0) return null;
  return <p>{firstText("onlyDomains", { domains: signupDomains.join(", ") })}</p>;
}
