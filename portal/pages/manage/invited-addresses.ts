import { t } from "../../text.ts";

// The addresses that an owner types or pastes. The service decides; it has the same rules in lib/http/.

const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
// Of other scripts too, some of which have a dot of their own.
const DOMAIN = /^([^\s.。．｡@<>"',:;/]+[.。．｡])+[^\s.。．｡@<>"',:;/]{2,}$/;

/** `Anna Alt <anna@example.com>`, as mail programs write it: the address counts. */
const WITH_NAME = /[^,;、，\n<>]{0,100}<\s*([^<>\s]+)\s*>/g;

/** The addresses in a text, each once. */
export function addressesIn(text: string): string[] {
  const addresses = text.replace(WITH_NAME, " $1 ").split(/[\s,;、，]+/);
  return [...new Set(addresses.filter((address) => address !== ""))];
}

function isAddress(typed: string): boolean {
  const at = typed.lastIndexOf("@");
  return LOCAL_PART.test(typed.slice(0, at)) && DOMAIN.test(typed.slice(at + 1));
}

/** What is wrong with the addresses in a text: the first one that is none. */
export function problemOfAddresses(text: string): string | undefined {
  const wrong = addressesIn(text).find((address) => !isAddress(address));
  return wrong === undefined ? undefined : `${wrong}: ${t("EMAIL_INVALID")}`;
}
