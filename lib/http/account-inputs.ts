import { domainToASCII } from "node:url";
import * as z from "zod/mini";
import { present, readAs } from "./inputs.ts";
import { WellFormed } from "./text-inputs.ts";

const MAX_EMAIL = 254;
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
// Before the domain is normalised it may contain any character outside of ASCII.
const WRITTEN_DOMAIN = /^[a-z0-9.\-\u0080-\u{10ffff}]+$/iu;
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/;

function readEmail(value: unknown): string | undefined {
  if (typeof value !== "string" || !value.isWellFormed()) return undefined;
  const address = value.trim();
  const at = address.lastIndexOf("@");
  const local = address.slice(0, at);
  const written = address.slice(at + 1);
  // Lengths first, so that the regular expressions run on short text.
  if (at < 1 || local.length > 64 || written.length > MAX_EMAIL) return undefined;
  // Mail services decode an encoded word (RFC 2047): the mail could reach another address.
  if (!LOCAL_PART.test(local) || local.includes("=?") || !WRITTEN_DOMAIN.test(written)) return undefined;
  const domain = domainToASCII(written).toLowerCase();
  if (!DOMAIN.test(domain)) return undefined;
  const email = `${local.toLowerCase()}@${domain}`;
  return email.length <= MAX_EMAIL ? email : undefined;
}

/** An e-mail address: trimmed, in lower case, its domain IDNA-normalised; else EMAIL_INVALID. */
export const Email = readAs(readEmail, "EMAIL_INVALID").check(
  z.meta({ type: "string", format: "email", maxLength: MAX_EMAIL }),
);

export const SomePassword = present("PASSWORD_MISSING", (value) => value === "");

/** A password at login, of any length: a login does not reveal the rule for new passwords. */
export const TriedPassword = z
  .pipe(SomePassword, WellFormed)
  .check(z.meta({ type: "string", format: "password", minLength: 1 }));
