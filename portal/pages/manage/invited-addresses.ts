import { t } from "../../text.ts";

// The addresses that an owner types or pastes. The service decides; it has the same rules in lib/http/.

const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
// Of other scripts too, some of which have a dot of their own.
const DOMAIN = /^([^\s.。．｡@<>"',:;/]+[.。．｡])+[^\s.。．｡@<>"',:;/]{2,}$/;

/** The addresses in a text, each once: of `Anna Alt <anna@example.com>`, as mail programs write it, what is in `<>`. */
export function addressesIn(text: string): string[] {
  const parts = text.split(/[,;、，\n>]/).map((part) => part.slice(part.lastIndexOf("<") + 1));
  const addresses = parts.flatMap((part) => part.split(/\s+/));
  return [...new Set(addresses.filter((address) => address !== ""))];
}

export function isAddress(typed: string): boolean {
  const at = typed.lastIndexOf("@");
  return LOCAL_PART.test(typed.slice(0, at)) && DOMAIN.test(typed.slice(at + 1));
}

/** What is wrong with the addresses in a text: the first one that is none. */
export function problemOfAddresses(text: string): string | undefined {
  const wrong = addressesIn(text).find((address) => !isAddress(address));
  return wrong === undefined ? undefined : `${wrong}: ${t("EMAIL_INVALID")}`;
}
