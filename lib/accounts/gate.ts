import * as z from "zod/mini";
import { setFields } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import type { Condition, Part } from "../table/parts.ts";

// Who may open an account. Every signup updates one of the sixteen counters of accounts anyway: marks on all of them
// make its transaction fail, from the commit of the owner's change on and without a read.

/**
 * What the owner lets people sign up with. Without `signupDomains`, all addresses may, unless their domain is among
 * `blockedMailDomains` or within one of them.
 */
export type SignUpRules = {
  allowSignup: boolean;
  password: boolean;
  signupDomains: string[];
  blockedMailDomains: string[];
};

/** The most labels of a domain that is blocked: a signup looks for each end of its domain, up to this length. */
export const MOST_LABELS = 5;

const Names = z.record(z.string(), z.literal(true));

export const GateMarks = z.object({
  closed: z.optional(z.literal(true)),
  noPasswords: z.optional(z.literal(true)),
  domains: z.optional(Names),
  blocked: z.optional(Names),
});
export type GateMarks = z.infer<typeof GateMarks>;

function marked(domains: string[]): z.infer<typeof Names> {
  return Object.fromEntries(domains.map((name) => [name, true] as const));
}

/** The marks of rules. Where only some domains may sign up, the blocked ones are not among them. */
export function gateMarks({ allowSignup, password, signupDomains, blockedMailDomains }: SignUpRules): GateMarks {
  const isForSome = signupDomains.length > 0;
  const isForMost = !isForSome && blockedMailDomains.length > 0;
  const open = signupDomains.filter((domain) => !endsIn(domain, blockedMailDomains));
  return {
    closed: allowSignup ? undefined : true,
    noPasswords: password ? undefined : true,
    domains: isForSome ? marked(open) : undefined,
    blocked: isForMost ? marked(blockedMailDomains) : undefined,
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

/** A domain and those that it lies within, as far as they can be blocked: of `a.b.example` also `b.example`. */
function endsOf(domain: string): string[] {
  const labels = domain.split(".");
  const lengths = Array.from({ length: MOST_LABELS - 1 }, (_, n) => n + 2);
  return lengths.filter((length) => length <= labels.length).map((length) => labels.slice(-length).join("."));
}

function endsIn(domain: string, blocked: string[]): boolean {
  return endsOf(domain).some((end) => blocked.includes(end));
}

/** What a counter must be like, so that an address may open an account by a password or in another way. */
export function passing(email: string, way: "password" | "other"): Required<Pick<Condition, "if" | "names">> {
  const domain = domainOf(email);
  const ends = endsOf(domain);
  const isOpen = "attribute_not_exists(closed)";
  const isOfDomain = "(attribute_not_exists(domains) OR attribute_exists(domains.#domain))";
  const isNotBlocked = ends.map((_, n) => `attribute_not_exists(blocked.#end${n})`);
  const takesPasswords = "attribute_not_exists(noPasswords)";
  return {
    if: [isOpen, isOfDomain, ...isNotBlocked, ...(way === "password" ? [takesPasswords] : [])].join(" AND "),
    names: { "#domain": domain, ...Object.fromEntries(ends.map((end, n) => [`#end${n}`, end])) },
  };
}

/** Whether an address may open an account without a password, as the rules were read. */
export function mayOpen(email: string, { allowSignup, signupDomains, blockedMailDomains }: SignUpRules): boolean {
  const isOfDomain = signupDomains.length === 0 || signupDomains.includes(domainOf(email));
  return allowSignup && isOfDomain && !isBlocked(email, { blockedMailDomains });
}

/** Whether the owner has blocked the domain of an address. */
export function isBlocked(email: string, { blockedMailDomains = [] }: Partial<SignUpRules> = {}): boolean {
  return endsIn(domainOf(email), blockedMailDomains);
}
