import * as z from "zod/mini";
import { setFields } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import type { Condition, Part } from "../table/parts.ts";

// Who may open an account. Every signup updates one of the sixteen counters of accounts anyway: marks on all of them
// make its transaction fail, from the commit of the owner's change on and without a read.

/** What the owner lets people sign up with. Without domains, all addresses may. */
export type SignUpRules = { allowSignup: boolean; password: boolean; signupDomains: string[] };

export const GateMarks = z.object({
  closed: z.optional(z.literal(true)),
  noPasswords: z.optional(z.literal(true)),
  domains: z.optional(z.record(z.string(), z.literal(true))),
});
export type GateMarks = z.infer<typeof GateMarks>;

/** The marks of rules. */
export function gateMarks({ allowSignup, password, signupDomains }: SignUpRules): GateMarks {
  return {
    closed: allowSignup ? undefined : true,
    noPasswords: password ? undefined : true,
    domains: signupDomains.length === 0 ? undefined : Object.fromEntries(signupDomains.map((name) => [name, true])),
  };
}

/** The parts that set the marks. */
export function gateParts(marks: GateMarks): Record<string, Part> {
  const digits = [..."0123456789abcdef"];
  return Object.fromEntries(digits.map((digit) => [`gate ${digit}`, setFields(key.userCount(digit), marks, {})]));
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1);
}

/** What a counter must be like, so that an address may open an account by a password or in another way. */
export function passing(email: string, way: "password" | "other"): Required<Pick<Condition, "if" | "names">> {
  const isOpen = "attribute_not_exists(closed)";
  const isOfDomain = "(attribute_not_exists(domains) OR attribute_exists(domains.#domain))";
  const takesPasswords = "attribute_not_exists(noPasswords)";
  return {
    if: [isOpen, isOfDomain, ...(way === "password" ? [takesPasswords] : [])].join(" AND "),
    names: { "#domain": domainOf(email) },
  };
}

/** Whether an address may open an account without a password, as the rules were read. */
export function mayOpen(email: string, { allowSignup, signupDomains }: SignUpRules): boolean {
  return allowSignup && (signupDomains.length === 0 || signupDomains.includes(domainOf(email)));
}
