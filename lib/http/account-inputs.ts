import { domainToASCII } from "node:url";
import * as z from "zod/mini";
import { VotesOfErased } from "../accounts/erasures.ts";
import { MOST_LABELS } from "../accounts/gate.ts";
import { mapped, optional, present, readAs, refuse } from "./inputs.ts";
import { Line, WellFormed } from "./text-inputs.ts";

const MAX_EMAIL = 254;
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
// Before the domain is normalised it may contain any character outside of ASCII.
const WRITTEN_DOMAIN = /^[a-z0-9.\-\u0080-\u{10ffff}]+$/iu;
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/;

/** A domain of addresses as it is stored: IDNA-normalised, in lower case. */
function readDomain(written: string): string | undefined {
  // Lengths first, so that the regular expressions run on short text.
  if (written.length > MAX_EMAIL || !WRITTEN_DOMAIN.test(written)) return undefined;
  const domain = domainToASCII(written).toLowerCase();
  return DOMAIN.test(domain) ? domain : undefined;
}

function readEmail(value: unknown): string | undefined {
  if (typeof value !== "string" || !value.isWellFormed()) return undefined;
  const address = value.trim();
  const at = address.lastIndexOf("@");
  const local = address.slice(0, at);
  if (at < 1 || local.length > 64) return undefined;
  // Mail services decode an encoded word (RFC 2047): the mail could reach another address.
  if (!LOCAL_PART.test(local) || local.includes("=?")) return undefined;
  const domain = readDomain(address.slice(at + 1));
  if (domain === undefined) return undefined;
  const email = `${local.toLowerCase()}@${domain}`;
  return email.length <= MAX_EMAIL ? email : undefined;
}

/** An e-mail address: trimmed, in lower case, its domain IDNA-normalised; else EMAIL_INVALID. */
export const Email = readAs(readEmail, "EMAIL_INVALID").check(
  z.meta({ type: "string", format: "email", maxLength: MAX_EMAIL }),
);

/** The most characters of a person's name. */
export const LONGEST_NAME = 60;

/** The name of a person, as others see it. */
export const PersonName = Line(LONGEST_NAME);

const MAX_DOMAINS = 20;
// Every signup updates an item that holds them: it stays below 1 KB, which is one write unit.
const MAX_DOMAINS_LENGTH = 800;

/** Also with an @ before it, or with the dot of the root behind it. */
const Domain = mapped(
  z.string(),
  (text, context) =>
    readDomain(text.trim().replace(/^@/, "").replace(/\.$/, "")) ??
    refuse(context, "Must be the domain of addresses, like example.com"),
);

/** Domains, each once: at most `most`, with `length` characters in all. */
function domainsOf<S extends z.ZodMiniType<string, string>>(domain: S, most: number, length: number) {
  const isShort = z.refine<string[]>(
    (domains) => domains.join("").length <= length,
    `Must have at most ${length} characters in all`,
  );
  return mapped(z.array(domain).check(z.maxLength(most), isShort), (domains) => [...new Set(domains)]);
}

/** The domains of addresses, each once: at most 20, with 800 characters in all. */
export const Domains = domainsOf(Domain, MAX_DOMAINS, MAX_DOMAINS_LENGTH);

const MAX_BLOCKED = 200;
// A signup of a site with the longest list updates an item below 3 KB, which is three write units.
const MAX_BLOCKED_LENGTH = 2400;

const BlockedDomain = Domain.check(
  z.refine((domain) => domain.split(".").length <= MOST_LABELS, `Must have at most ${MOST_LABELS} parts`),
);

/** The domains of addresses that are blocked, each once: at most 200, with 2400 characters in all. */
export const BlockedDomains = domainsOf(BlockedDomain, MAX_BLOCKED, MAX_BLOCKED_LENGTH);

export const SomePassword = present("PASSWORD_MISSING", (value) => value === "");

/** A password at login, of any length: a login does not reveal the rule for new passwords. */
export const TriedPassword = z
  .pipe(SomePassword, WellFormed)
  .check(z.meta({ type: "string", format: "password", minLength: 1 }));

/** What becomes of the votes of an account that is deleted; they stay if nothing is said. */
export const VotesOfDeleted = optional(VotesOfErased);
